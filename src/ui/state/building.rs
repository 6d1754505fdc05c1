//! The lab: the file of the world that is looked at, and what is being done to it. The module that reads files does it; one thing is
//! asked of it at a time, and what is asked meanwhile waits.

use super::{Pane, Selected, State};
use crate::lab::{Answer, Edit, Request, Source, Step, Way};
use crate::link::MOST_SHARED;
use crate::reading::Reading;
use crate::scenario::Scenario;
use crate::scene::Subject;
use crate::sim::setup::Setup;
use crate::sim::{ConsumerId, GroupId, ProducerId, Simulation};
use crate::text::Lang;
use std::collections::VecDeque;
use std::rc::Rc;

/// The most texts that can be gone back to, and the most bytes that they have together.
const MOST_KEPT: usize = 200;
const MOST_KEPT_BYTES: usize = 16 << 20;

/// What a person asks of the lab.
#[derive(Clone, Debug, PartialEq)]
pub enum Build {
    /// Opens the form of another object.
    Go(Way),
    /// Changes the file.
    Edit(Edit),
    /// Begins with something else, which can be taken back like any change.
    Begin(Source),
    /// Takes back the last change.
    Undo,
    /// Makes it again.
    Redo,
    /// What was asked is answered: the number of the request, the answer, and the new file packed for an address.
    Answered(u32, Option<Box<Answer>>, Option<String>),
}

/// From where the file comes that something is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileFrom {
    /// As the request says.
    Request,
    /// Packed as it is in addresses.
    Packed(String),
}

/// What is to be sent to the module that reads files.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Its number.
    pub number: u32,
    /// The request.
    pub request: Request,
    /// Where its file comes from.
    pub from: FileFrom,
}

/// What has been asked and waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// To see what is there.
    Look,
    /// A change.
    Change,
    /// The text before.
    Undo,
    /// The text after.
    Redo,
}

/// The lab.
#[derive(Debug, Default)]
pub struct Lab {
    /// The file, as it is being changed; nothing until it has been asked for.
    text: Option<Rc<str>>,
    past: Vec<Rc<str>>,
    future: Vec<Rc<str>>,
    /// The last answer, with the file, its form and its mistakes.
    pub answer: Option<Rc<Answer>>,
    /// Which of the scenarios opened so far the text is of.
    of: Option<u32>,
    /// The language in which the form was made.
    lang: Option<Lang>,
    /// True if the last request could not be answered.
    pub has_failed: bool,
    /// What was selected when the lab last followed the selection.
    followed: Option<Subject>,
    asked: Option<(u32, Asked)>,
    numbers: u32,
    waiting: VecDeque<Build>,
    /// Another number for everything that is shown.
    pub version: u32,
    /// True if the text has been changed since it was last kept.
    is_changed: bool,
    /// How much of what was done by hand is not in the world as it was changed last.
    pub left_out: u32,
    /// True if something was built on this device before.
    pub has_last: bool,
}

impl Lab {
    /// True if a change can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// True if what was taken back can be made again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// True if the file cannot be run as it is.
    fn has_mistakes(&self) -> bool {
        self.answer.as_deref().is_some_and(|answer| !matches!(answer.reading, Reading::Scenario(..)))
    }

    /// The file, if it has been changed since this was last asked.
    pub fn take_changed(&mut self) -> Option<Rc<str>> {
        std::mem::take(&mut self.is_changed).then(|| self.text.clone())?
    }

    fn keep(&mut self, text: Rc<str>) {
        self.past.push(text);
        let mut bytes: usize = self.past.iter().map(|text| text.len()).sum();
        while self.past.len() > MOST_KEPT || (bytes > MOST_KEPT_BYTES && self.past.len() > 1) {
            bytes -= self.past.remove(0).len();
        }
    }

    /// Takes over an answer; true if the text is another one now.
    fn take(&mut self, asked: Asked, answer: Answer) -> bool {
        let before = self.text.replace(answer.text.as_str().into());
        let is_other = before.as_deref() != Some(answer.text.as_str());
        match (asked, before) {
            (Asked::Change | Asked::Look, Some(before)) if is_other => {
                self.keep(before);
                self.future.clear();
            }
            (Asked::Undo, Some(before)) => {
                self.past.pop();
                if is_other {
                    self.future.push(before);
                }
            }
            (Asked::Redo, Some(before)) => {
                self.future.pop();
                if is_other {
                    self.keep(before);
                }
            }
            _ => {}
        }
        self.answer = Some(Rc::new(answer));
        let is_change = is_other && asked != Asked::Look;
        self.is_changed |= is_change;
        is_change
    }
}

impl State {
    /// Does what is asked of the lab, or lets it wait.
    #[inline(never)]
    pub(super) fn build(&mut self, asked: Build) {
        self.lab.version += 1;
        match asked {
            Build::Answered(number, answer, packed) => self.built(number, answer, packed),
            asked => self.lab.waiting.push_back(asked),
        }
    }

    fn built(&mut self, number: u32, answer: Option<Box<Answer>>, packed: Option<String>) {
        let Some((_, asked)) = self.lab.asked.take_if(|(expected, _)| *expected == number) else { return };
        self.lab.has_failed = answer.is_none();
        let Some(answer) = answer else {
            // Whatever is asked next begins with what is there.
            if asked == Asked::Look {
                self.lab.of = None;
            }
            return;
        };
        let reading = answer.reading.clone();
        let is_changed = self.lab.take(asked, *answer);
        if let Reading::Scenario(scenario, _) = reading
            && is_changed
        {
            self.open_built(scenario, packed);
            self.lab.of = Some(self.opened);
        }
        self.select_place();
    }

    /// Shows a world that was changed at the same simulated time. What was done by hand is done again, as far as that is possible
    /// there; where things were taken away or put in another order it would be done to others, and is left out.
    fn open_built(&mut self, scenario: Rc<Scenario>, packed: Option<String>) {
        let (now, deeds, every_event) = (self.playback.time(), self.playback.deeds(), self.playback.every_event);
        let selected = self.inspector.selected;
        let has_all = has_all_of(&scenario.setup, &self.scenario.setup);
        self.open(scenario, None);
        self.opening = false;
        self.packed = packed;
        self.lab.left_out = 0;
        for deed in &deeds {
            if !has_all || !self.playback.repeat(std::slice::from_ref(deed)) {
                self.lab.left_out += 1;
            }
        }
        self.playback.show_every_event(every_event);
        self.playback.jump_to_time(now);
        self.inspector.selected = selected.filter(|selected| has_all && matches!(selected, Selected::Subject(_)));
    }

    /// True if the lab is open, or has been.
    pub fn uses_lab(&self) -> bool {
        self.inspector.pane == Pane::Build || self.lab.version > 0
    }

    /// True if what has been built would be gone after a reload: the address does not lead to it, since it has mistakes or is too long.
    #[inline(never)]
    pub fn is_only_here(&self) -> bool {
        let is_built = self.lab.of == Some(self.opened) && self.lab.can_undo();
        let is_addressed = || self.link().is_some_and(|link| link.to_fragment().len() <= MOST_SHARED);
        is_built && (self.lab.has_mistakes() || !is_addressed())
    }

    /// Goes on with a world that was being built when the page was left.
    #[inline(never)]
    pub fn go_on_with(&mut self, text: String) {
        self.inspector.pane = Pane::Build;
        self.build(Build::Begin(Source::Text(text)));
    }

    /// What has to be sent to the module that reads files, if anything; each only once.
    #[inline(never)]
    pub fn take_request(&mut self) -> Option<Sent> {
        let has_time = self.inspector.pane == Pane::Build || !self.lab.waiting.is_empty();
        if !has_time || self.lab.asked.is_some() || (self.lab.has_failed && self.lab.waiting.is_empty()) {
            return None;
        }
        self.lab.has_failed = false;
        // Another world has been opened, or another language chosen.
        let is_other_world = self.lab.of != Some(self.opened);
        if !is_other_world && self.lab.waiting.is_empty() {
            self.follow_selection();
        }
        let place = self.lab.answer.as_ref().and_then(|answer| answer.trail.last()).map(|(_, way)| way.clone());
        let mut request = Request {
            source: Source::Text(String::new()),
            edit: None,
            place: place.unwrap_or_default(),
            is_japanese: self.lang == Lang::Ja,
        };
        let mut from = FileFrom::Request;
        let asked = if is_other_world {
            self.lab.of = Some(self.opened);
            request.place = Way::new();
            match self.builtin {
                Some(index) => request.source = Source::BuiltIn(self.stories[index].name.clone()),
                None => match self.packed.clone() {
                    Some(packed) => from = FileFrom::Packed(packed),
                    None => {
                        (self.lab.text, self.lab.answer, self.lab.has_failed) = (None, None, true);
                        return None;
                    }
                },
            }
            Asked::Look
        } else {
            let text = self.lab.text.clone().unwrap_or_default();
            let mut source = |text: &str| request.source = Source::Text(text.to_owned());
            source(&text);
            match self.lab.waiting.pop_front() {
                Some(Build::Go(way)) => {
                    request.place = way;
                    self.lab.followed = self.inspector.subject();
                    Asked::Look
                }
                Some(Build::Edit(edit)) => {
                    request.edit = Some(edit);
                    Asked::Change
                }
                Some(Build::Begin(begun)) => {
                    (request.source, request.place) = (begun, Way::new());
                    Asked::Change
                }
                Some(Build::Undo) => {
                    source(self.lab.past.last()?);
                    Asked::Undo
                }
                Some(Build::Redo) => {
                    source(self.lab.future.last()?);
                    Asked::Redo
                }
                Some(Build::Answered(..)) => return None,
                None if self.lab.lang != Some(self.lang) => Asked::Look,
                None => return None,
            }
        };
        self.lab.lang = Some(self.lang);
        self.lab.numbers += 1;
        self.lab.asked = Some((self.lab.numbers, asked));
        self.lab.version += 1;
        Some(Sent { number: self.lab.numbers, request, from })
    }

    /// Whoever selects something elsewhere sees its form.
    fn follow_selection(&mut self) {
        let subject = self.inspector.subject();
        if subject == self.lab.followed {
            return;
        }
        self.lab.followed = subject;
        if let Some(way) = subject.and_then(|subject| way_to(self.playback.run(), subject)) {
            self.lab.waiting.push_back(Build::Go(way));
        }
    }

    /// What has its form open is selected everywhere.
    fn select_place(&mut self) {
        let way = self.lab.answer.as_ref().and_then(|answer| answer.trail.last()).map(|(_, way)| way);
        let subject = way.and_then(|way| subject_at(&self.scenario.setup, way));
        if subject.is_some() {
            (self.inspector.selected, self.lab.followed) = (subject.map(Selected::Subject), subject);
        }
    }
}

/// True if everything of a world is in another, at the same places.
fn has_all_of(changed: &Setup, before: &Setup) -> bool {
    fn begins_with<T>(changed: &[T], before: &[T], name: impl Fn(&T) -> &str) -> bool {
        before.len() <= changed.len()
            && before.iter().zip(changed).all(|(before, changed)| name(before) == name(changed))
    }
    begins_with(&changed.consumers, &before.consumers, |consumer| &consumer.name)
        && begins_with(&changed.producers, &before.producers, |producer| &producer.name)
        && begins_with(&changed.groups, &before.groups, |group| &group.name)
        && begins_with(&changed.topics, &before.topics, |topic| &topic.name)
        && begins_with(&changed.sinks, &before.sinks, |sink| &sink.name)
}

fn field(name: &str) -> Step {
    Step::Field(name.to_owned())
}

/// The way to what a subject is in a file; nothing to what is not in it.
fn way_to(run: &Simulation, subject: Subject) -> Option<Way> {
    let setup = run.setup();
    match subject {
        Subject::Member(consumer) => {
            let group = setup.consumers.get(consumer.index())?.group;
            let place = setup.consumers[..consumer.index()].iter().filter(|other| other.group == group).count();
            Some(vec![field("groups"), Step::At(group.index() as u32), field("members"), Step::At(place as u32)])
        }
        Subject::Group(group) => Some(vec![field("groups"), Step::At(group.index() as u32)]),
        Subject::Producer(producer) => Some(vec![field("producers"), Step::At(producer.index() as u32)]),
        Subject::Partition(partition) => {
            Some(vec![field("topics"), Step::At(run.topics().place(partition).topic.index() as u32)])
        }
        Subject::Message(_) => None,
    }
}

/// What is at a place of a file, if it can be selected.
fn subject_at(setup: &Setup, way: &[Step]) -> Option<Subject> {
    let (Step::Field(list), Step::At(at)) = (way.first()?, way.get(1)?) else { return None };
    let at = *at as usize;
    match (list.as_str(), way.get(2), way.get(3)) {
        ("groups", Some(Step::Field(members)), Some(Step::At(place))) if members == "members" => {
            let mut of_group = setup.consumers.iter().enumerate().filter(|(_, consumer)| consumer.group.index() == at);
            let (index, _) = of_group.nth(*place as usize)?;
            Some(Subject::Member(ConsumerId::at(index)))
        }
        ("groups", None, None) if at < setup.groups.len() => Some(Subject::Group(GroupId::at(at))),
        ("producers", None, None) if at < setup.producers.len() => Some(Subject::Producer(ProducerId::at(at))),
        _ => None,
    }
}
