//! The command line.

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
  logstep-run schema [--lang ja|en]
      print the JSON Schema of the scenario file
  logstep-run schema --markdown ja|en
      print the page about the scenario file
  logstep-run help

FILE is a scenario file, the name of a built-in scenario, or - for standard input.
Exit status: 0 all is well, 1 a file is broken or a run differs, 2 wrong usage, 3 a run was stopped before its end, at
the limit of steps.";

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
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" if command == "run" => chosen(&mut form, Form::Transcript { all: true })?,
            "--json" if command == "run" => chosen(&mut form, Form::Json)?,
            "--csv" if command == "run" => chosen(&mut form, Form::Csv)?,
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
        ("schema", 0) => Ok(Command::Schema { as_page, lang }),
        ("help" | "--help" | "-h", 0) => Ok(Command::Help),
        ("schema" | "help", _) => Err(format!("{command} takes no file")),
        _ => Err(format!("there is no command {command}")),
    }
}

fn chosen(form: &mut Option<Form>, wanted: Form) -> Result<(), String> {
    match form.replace(wanted) {
        None => Ok(()),
        Some(_) => Err("run takes one of --all, --json and --csv".to_owned()),
    }
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
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
