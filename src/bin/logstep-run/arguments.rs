//! The command line.

use logstep::export::Described;
use logstep::scenario::duration;
use logstep::sim::Span;
use logstep::text::Lang;

/// How the program is called.
pub const USAGE: &str = "\
Usage:
  logstep-run run FILE [--all | --json | --csv] [--lang ja|en]
      run a scenario; print its steps and its outcome as sentences
        --all    print the hidden steps too
        --json   print only the outcome, as JSON
        --csv    print only the ledger, as CSV: a line for each processing of a record
  logstep-run check FILE... [--lang ja|en]
      run scenarios; print where they differ from what their files expect
  logstep-run sweep FILE --crash | --seeds A..B | --set NAME=V1,V2,... [--json] [--lang ja|en]
      run a scenario many times; print a table of what was lost, repeated and out of order, with the step that decided it
        --crash  a crash of each consumer after each visible step
        --seeds  each seed from A to B
        --set    each of these values of a setting, wherever it may stand in the file: one of Kafka's by its name, or
                 handling.time, commit.after_records, commit.every, partitions, unique_key
        --json   print the table as JSON
  logstep-run describe FILE --at TIME [--members | --state] [--lang ja|en]
      print the groups at a moment, as in 52.5s, in the form of kafka-consumer-groups.sh --describe
  logstep-run schema [--lang ja|en]
      print the JSON Schema of the scenario file
  logstep-run schema --markdown ja|en
      print the page about the scenario file
  logstep-run help

FILE is a scenario file, the name of a built-in scenario, or - for standard input.
Exit status: 0 all is well, 1 a file is broken or a run differs, 2 wrong usage, 3 a run was stopped before its end, at
the limit of steps, or a sweep before its last run.";

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// `run`
    Run(Run),
    /// `check`
    Check {
        /// The files.
        files: Vec<String>,
        /// The language of messages.
        lang: Lang,
    },
    /// `sweep`
    Sweep(Sweep),
    /// `describe`
    Describe(Describe),
    /// `schema`
    Schema {
        /// The page instead of the schema.
        as_page: bool,
        /// The language of descriptions.
        lang: Lang,
    },
    /// `help`
    Help,
}

/// The parts of `run`.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The file.
    pub file: String,
    /// In which form.
    pub form: Form,
    /// The language of messages.
    pub lang: Lang,
}

/// The parts of `sweep`.
#[derive(Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The file.
    pub file: String,
    /// What differs from run to run.
    pub over: Over,
    /// As JSON, not as a table.
    pub json: bool,
    /// The language of messages.
    pub lang: Lang,
}

/// What differs from run to run of a sweep.
#[derive(Debug, PartialEq, Eq)]
pub enum Over {
    /// Who crashes, and when.
    Crash,
    /// The seed: the first and the last.
    Seeds(u64, u64),
    /// The value of a setting.
    Values {
        /// Its name.
        name: String,
        /// The values.
        values: Vec<String>,
    },
}

/// The parts of `describe`.
#[derive(Debug, PartialEq, Eq)]
pub struct Describe {
    /// The file.
    pub file: String,
    /// The moment.
    pub at: Span,
    /// What is asked for.
    pub what: Described,
    /// The language of messages.
    pub lang: Lang,
}

/// What is printed of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its steps as sentences and its outcome.
    Transcript {
        /// Hidden steps too.
        all: bool,
    },
    /// Only its outcome, as JSON.
    Json,
    /// Only its ledger, as CSV.
    Csv,
}

/// Reads the command line, or says what is wrong with it.
pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut arguments = arguments;
    let command = arguments.next().ok_or("a command is missing")?;
    let mut files = Vec::new();
    let (mut form, mut as_page, mut lang) = (None, false, Lang::En);
    let (mut over, mut at, mut what, mut json) = (None, None, None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" if command == "run" => the_one(&mut form, Form::Transcript { all: true }, ONE_FORM)?,
            "--json" if command == "run" => the_one(&mut form, Form::Json, ONE_FORM)?,
            "--csv" if command == "run" => the_one(&mut form, Form::Csv, ONE_FORM)?,
            "--json" if command == "sweep" => json = true,
            "--crash" if command == "sweep" => the_one(&mut over, Over::Crash, ONE_SWEEP)?,
            "--seeds" if command == "sweep" => the_one(&mut over, seeds(arguments.next().as_deref())?, ONE_SWEEP)?,
            "--set" if command == "sweep" => the_one(&mut over, values(arguments.next().as_deref())?, ONE_SWEEP)?,
            "--at" if command == "describe" => at = Some(moment(arguments.next().as_deref())?),
            "--members" if command == "describe" => the_one(&mut what, Described::Members, ONE_DESCRIPTION)?,
            "--state" if command == "describe" => the_one(&mut what, Described::State, ONE_DESCRIPTION)?,
            "--markdown" if command == "schema" => {
                as_page = true;
                lang = language("--markdown", arguments.next().as_deref())?;
            }
            "--lang" => lang = language("--lang", arguments.next().as_deref())?,
            "--help" => return Ok(Command::Help),
            option if option.starts_with("--") => return Err(format!("there is no option {option} of {command}")),
            _ => files.push(argument),
        }
    }
    match (command.as_str(), files.len()) {
        ("run", 1) => {
            let form = form.unwrap_or(Form::Transcript { all: false });
            Ok(Command::Run(Run { file: files.remove(0), form, lang }))
        }
        ("run", _) => Err("run takes one file".to_owned()),
        ("check", 1..) => Ok(Command::Check { files, lang }),
        ("check", 0) => Err("check takes at least one file".to_owned()),
        ("sweep", 1) => {
            let over = over.ok_or(ONE_SWEEP)?;
            Ok(Command::Sweep(Sweep { file: files.remove(0), over, json, lang }))
        }
        ("describe", 1) => {
            let at = at.ok_or("describe takes --at and a time, as in 52.5s")?;
            let what = what.unwrap_or(Described::Offsets);
            Ok(Command::Describe(Describe { file: files.remove(0), at, what, lang }))
        }
        ("sweep" | "describe", _) => Err(format!("{command} takes one file")),
        ("schema", 0) => Ok(Command::Schema { as_page, lang }),
        ("help" | "--help" | "-h", 0) => Ok(Command::Help),
        ("schema" | "help", _) => Err(format!("{command} takes no file")),
        _ => Err(format!("there is no command {command}")),
    }
}

const ONE_FORM: &str = "run takes one of --all, --json and --csv";
const ONE_SWEEP: &str = "sweep takes one of --crash, --seeds and --set";
const ONE_DESCRIPTION: &str = "describe takes one of --members and --state";

/// The most seeds, or values, of one sweep.
const MOST_CASES: u64 = 10_000;

fn the_one<T>(place: &mut Option<T>, wanted: T, otherwise: &str) -> Result<(), String> {
    match place.replace(wanted) {
        None => Ok(()),
        Some(_) => Err(otherwise.to_owned()),
    }
}

fn seeds(range: Option<&str>) -> Result<Over, String> {
    let ends = range.and_then(|range| range.split_once(".."));
    let numbers = ends.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    match numbers {
        Some((first, last)) if first <= last && last - first < MOST_CASES => Ok(Over::Seeds(first, last)),
        _ => Err(format!(
            "--seeds takes two numbers, as in 1..100, the second not below the first, at most {MOST_CASES} seeds"
        )),
    }
}

fn values(setting: Option<&str>) -> Result<Over, String> {
    let parts = setting.and_then(|setting| setting.split_once('='));
    let (name, list) = parts.ok_or("--set takes a name and values, as in max.poll.records=1,10,500")?;
    let values: Vec<String> = list.split(',').map(str::to_owned).collect();
    match values.len() as u64 <= MOST_CASES {
        true => Ok(Over::Values { name: name.to_owned(), values }),
        false => Err(format!("--set takes at most {MOST_CASES} values")),
    }
}

fn moment(text: Option<&str>) -> Result<Span, String> {
    text.and_then(duration::parse).ok_or_else(|| "--at takes a time, as in 52.5s".to_owned())
}

fn language(option: &str, tag: Option<&str>) -> Result<Lang, String> {
    Lang::ALL.into_iter().find(|lang| Some(lang.tag()) == tag).ok_or_else(|| format!("{option} takes ja or en"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_may_stand_anywhere_behind_the_command() {
        let run = Run { file: "a.json".to_owned(), form: Form::Transcript { all: true }, lang: Lang::Ja };
        assert_eq!(parsed("run --lang ja a.json --all"), Ok(Command::Run(run)));
        let over = Over::Values { name: "max.poll.records".to_owned(), values: vec!["1".to_owned(), "500".to_owned()] };
        let sweep = Sweep { file: "a.json".to_owned(), over, json: true, lang: Lang::En };
        assert_eq!(parsed("sweep --set max.poll.records=1,500 a.json --json"), Ok(Command::Sweep(sweep)));
        assert_eq!(parsed("schema --markdown ja"), Ok(Command::Schema { as_page: true, lang: Lang::Ja }));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for line in [
            "",
            "fly",
            "run",
            "run a b",
            "check",
            "check --json a",
            "run a --json --csv",
            "run a --lang de",
            "run a --lang",
            "schema a",
            "schema --markdown",
            "run a --markdown ja",
            "sweep a",
            "sweep --crash",
            "sweep a --crash --seeds 1..2",
            "sweep a --seeds 5..1",
            "sweep a --seeds 1..20000",
            "sweep a --seeds 1",
            "sweep a --set x",
            "run a --crash",
            "describe a",
            "describe a --at noon",
            "describe a --at 5s --members --state",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
