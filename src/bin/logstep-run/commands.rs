//! What the commands do.

use crate::arguments::{Form, Run, USAGE};
use logstep::export;
#[cfg(not(target_arch = "wasm32"))]
use logstep::publish;
use logstep::scenario::{Outcome, Scenario, library, read};
use logstep::sim::Simulation;
use logstep::text::{self, Lang, mistake};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

const DIFFERS: u8 = 1;
pub(super) const STOPPED: u8 = 3;

/// `run`: the steps as a transcript, then the outcome; or one of the other forms.
pub fn run(options: &Run) -> ExitCode {
    let scenario = match load(&options.file, options.lang) {
        Ok(scenario) => scenario,
        Err(message) => return fail(&message),
    };
    let run = scenario.run();
    let text = match options.form {
        Form::Transcript { all } => export::transcript(options.lang, &run, all),
        Form::Json => format!("{}\n", Outcome::of(&run).to_json()),
        Form::Csv => export::ledger(&run),
    };
    ended(print(&text), &run)
}

/// A run that did not come to its end is not to be taken for one that did.
fn ended(printed: ExitCode, run: &Simulation) -> ExitCode {
    if run.has_ended() { printed } else { ExitCode::from(STOPPED) }
}

/// `check`: runs what the files expect.
pub fn check(files: &[String], lang: Lang) -> ExitCode {
    let mut text = String::new();
    let mut all_agree = true;
    for file in files {
        let scenario = match load(file, lang) {
            Ok(scenario) => scenario,
            Err(message) => {
                all_agree = false;
                eprint!("{message}");
                continue;
            }
        };
        let run = scenario.run();
        for refused in scenario.expectations.unexpected_refusals(&run) {
            eprintln!("{file}: {}{}", text::labels::warning(lang), mistake::difference(lang, &refused));
        }
        let differences = scenario.expectations.check(&run);
        for difference in &differences {
            let _ = writeln!(text, "{file}: {}", mistake::difference(lang, difference));
        }
        if differences.is_empty() {
            let _ = writeln!(text, "{file}: ok, {} expectations hold", scenario.expectations.len());
        }
        all_agree &= differences.is_empty();
    }
    let printed = print(&text);
    if all_agree { printed } else { ExitCode::from(DIFFERS) }
}

/// `schema`.
#[cfg(not(target_arch = "wasm32"))]
pub fn schema(as_page: bool, lang: Lang) -> ExitCode {
    print(&if as_page { publish::page(lang) } else { publish::schema(lang) })
}

/// Cargo builds this program for the WebAssembly tests too, where there are no descriptions.
#[cfg(target_arch = "wasm32")]
pub fn schema(_as_page: bool, _lang: Lang) -> ExitCode {
    ExitCode::from(DIFFERS)
}

/// `help`.
pub fn help() -> ExitCode {
    print(&format!("{USAGE}\n"))
}

/// Reads a scenario, or says why that is not possible, a line for each mistake. Warnings are printed.
pub(super) fn load(file: &str, lang: Lang) -> Result<Scenario, String> {
    let source = source_of(file).map_err(|error| format!("{file}: {error}\n"))?;
    let line = |found: &logstep::scenario::Mistake, what: &str| {
        format!("{file}:{}:{}: {what}{}\n", found.line, found.column, mistake::mistake(lang, found))
    };
    let scenario = read(&source).map_err(|found| found.iter().map(|found| line(found, "")).collect::<String>())?;
    for warning in &scenario.warnings {
        eprint!("{}", line(warning, text::labels::warning(lang)));
    }
    Ok(scenario)
}

pub(super) fn source_of(file: &str) -> std::io::Result<String> {
    if file == "-" {
        let mut source = String::new();
        std::io::stdin().read_to_string(&mut source)?;
        return Ok(source);
    }
    match (library::find(file), std::fs::read_to_string(file)) {
        (Some(built_in), Err(_)) => Ok(built_in.source.to_owned()),
        (_, read) => read,
    }
}

pub(super) fn fail(message: &str) -> ExitCode {
    eprint!("{message}");
    ExitCode::from(DIFFERS)
}

/// Prints. A reader that has gone away, as `head` does, is no error.
pub(super) fn print(text: &str) -> ExitCode {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
