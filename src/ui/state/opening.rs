//! Opening a scenario: a story, a file, a link; and the link to what is shown.

use super::{State, watch};
use crate::link::{Beginning, Link, LinkProblem, Opened};
use crate::reading::{MistakeInWords, Reading};
use crate::scenario::Scenario;
use crate::scene::drawn::Rows;
use crate::sim::{GroupId, Simulation};
use crate::stories::Story;
use crate::text::Lang;
use crate::ui::playback::Playback;
use std::rc::Rc;

/// Why a file could not be read at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileProblem {
    /// It is larger than a scenario may be.
    TooLarge,
    /// The browser could not read it, or it is not text.
    Unreadable,
    /// The part of the program that reads files could not be loaded.
    NoReader,
}

/// What has to be said of the file or the link that was opened last, or of what was to be taken along.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    /// The name of the file; none for a link or an export.
    pub name: Option<String>,
    /// What is wrong.
    pub wrong: FileWrong,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileWrong {
    /// It could not be read.
    Problem(FileProblem),
    /// It has mistakes.
    Mistakes(Rc<[MistakeInWords]>),
    /// It was opened, and probably something in it is not meant.
    Warnings(Rc<[MistakeInWords]>),
    /// Something that was to be taken along could not be made.
    Export,
    /// The link says nothing that can be opened.
    Link(LinkProblem),
    /// The run of the link goes differently here; the same simulated time is shown.
    Elsewhere,
}

impl State {
    pub(super) fn open(&mut self, scenario: Rc<Scenario>, builtin: Option<usize>) {
        let (speed, every_event, still) = (self.playback.speed, self.playback.every_event, self.playback.still);
        self.playback = Playback::new(Simulation::new(scenario.setup.clone()));
        (self.playback.speed, self.playback.every_event, self.playback.still) = (speed, every_event, still);
        self.scenario = scenario;
        self.builtin = builtin;
        self.opened += 1;
        self.watch = (0, watch(&self.scenario, self.playback.run()));
        self.scenes.clear();
        self.opening = true;
        self.rows = Rows::Summed;
        self.chosen_group = GroupId(0);
        (self.menu, self.reading, self.report, self.concern, self.packed) = (None, None, None, None, None);
        self.end_comparison();
        self.inspector.leave();
        self.sweeping.leave();
    }

    /// Opens what an address says, or says what is wrong with it and keeps everything as it is.
    #[inline(never)]
    pub(super) fn open_link(&mut self, link: Result<Link, LinkProblem>) {
        let opened = link.and_then(|link| {
            let name = match &link.opened {
                // It is read first.
                Some(Opened::File(_)) => {
                    self.files += 1;
                    self.reading = Some(self.files);
                    self.arriving = Some(link);
                    return Ok(());
                }
                Some(Opened::Builtin(name)) => Some(name),
                None => None,
            };
            let is_named = |story: &Story| name.is_none_or(|name| story.name == *name);
            let index = self.stories.iter().position(is_named).ok_or(LinkProblem::NoSuchStory)?;
            self.open(self.stories[index].scenario(), Some(index));
            self.arrive(&link);
            Ok(())
        });
        if let Err(problem) = opened {
            self.report = Some(FileReport { name: None, wrong: FileWrong::Link(problem) });
        }
    }

    /// The packed file of a link that has to be read, with the number under which it is expected; each only once.
    pub fn take_packed(&mut self) -> Option<(u32, String)> {
        match self.arriving.as_mut()?.opened.take()? {
            Opened::File(packed) => Some((self.reading?, packed)),
            Opened::Builtin(_) => None,
        }
    }

    /// Goes to the place of a link, whose scenario has just been opened.
    pub(super) fn arrive(&mut self, link: &Link) {
        if let Some(lang) = Lang::ALL.into_iter().find(|lang| Some(lang.tag()) == link.lang.as_deref()) {
            self.lang = lang;
        }
        self.linked = Some(self.opened);
        self.playback.show_every_event(link.every_event);
        self.playback.begin_as(&self.scenario.setup, link.beginning);
        let is_done = self.playback.repeat(&link.done);
        let Some(step) = link.step else {
            self.opening &= link.done.is_empty() && link.beginning == Beginning::default();
            return;
        };
        self.opening = false;
        self.playback.make_known(step);
        self.playback.jump(step);
        let is_time_right = link.at == self.playback.last_visible_time() || link.at.is_none();
        let check = self.playback.check();
        let is_check_right = link.check.as_ref().zip(check).is_none_or(|(said, found)| *said == found);
        if !(is_done && is_time_right && is_check_right) {
            if let Some(at) = link.at {
                let shown = self.playback.shown_at(at);
                self.playback.jump(shown);
            }
            self.report = Some(FileReport { name: None, wrong: FileWrong::Elsewhere });
        }
    }

    /// The place that is shown; nothing as long as the file it is in has not been packed.
    pub fn link(&self) -> Option<Link> {
        let opened = match self.builtin {
            Some(index) => Opened::Builtin(self.stories[index].name.clone()),
            None => Opened::File(self.packed.clone()?),
        };
        Some(Link {
            opened: Some(opened),
            beginning: self.playback.beginning(),
            done: self.playback.deeds(),
            step: Some(self.playback.shown()),
            at: self.playback.last_visible_time(),
            check: self.playback.check(),
            every_event: self.playback.every_event,
            lang: Some(self.lang.tag().to_owned()),
        })
    }

    /// Opens a file, or says what is wrong with it and keeps everything as it is.
    #[inline(never)]
    pub(super) fn open_file(&mut self, name: String, reading: Result<Reading, FileProblem>) {
        let wrong = match reading {
            Ok(Reading::Scenario(scenario, warnings)) => {
                let arriving = self.arriving.take();
                self.open(scenario, None);
                if let Some(link) = arriving {
                    self.arrive(&link);
                    return;
                }
                if warnings.is_empty() {
                    return;
                }
                FileWrong::Warnings(warnings.into())
            }
            Ok(Reading::Mistakes(mistakes)) => FileWrong::Mistakes(mistakes.into()),
            Ok(Reading::NoText) => FileWrong::Problem(FileProblem::Unreadable),
            Err(problem) => FileWrong::Problem(problem),
        };
        self.reading = None;
        let name = self.arriving.take().is_none().then_some(name);
        self.report = Some(FileReport { name, wrong });
    }
}
