//! What the commands do.

use crate::arguments::{Run, USAGE};
#[cfg(not(target_arch = "wasm32"))]
use logstep::publish;
use logstep::scenario::{Outcome, Scenario, library, read};
use logstep::sim::{Simulation, StepNo};
use logstep::text::{self, Lang, mistake};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

const DIFFERS: u8 = 1;
const STOPPED: u8 = 3;

/// `run`: the steps as a transcript, then the outcome.
pub fn run(options: &Run) -> ExitCode {
    let scenario = match load(&options.file, options.lang) {
        Ok(scenario) => scenario,
        Err(message) => return fail(&message),
    };
    let run = scenario.run();
    let stopped = text::stopped_early(options.lang, &run);
    if options.json {
        return ended(print(&format!("{}\n", Outcome::of(&run).to_json())), &run);
    }
    let mut text = String::new();
    for step in (0..run.steps()).map(StepNo) {
        if options.all || run.step_at(step).is_some_and(|step| step.event.is_visible()) {
            let _ = writeln!(text, "{}", line(options.lang, &run, step));
        }
    }
    for line in stopped.into_iter().chain(text::outcome(options.lang, &run)) {
        let _ = write!(text, "\n{line}");
    }
    ended(print(&format!("{text}\n")), &run)
}

/// A run that did not come to its end is not to be taken for one that did.
fn ended(printed: ExitCode, run: &Simulation) -> ExitCode {
    if run.has_ended() { printed } else { ExitCode::from(STOPPED) }
}

/// The number among the visible steps, the time, what happened.
fn line(lang: Lang, run: &Simulation, step: StepNo) -> String {
    let number = run.visible_steps_before(step);
    let Some(found) = run.step_at(step) else {
        return String::new();
    };
    let micros = found.at.as_micros();
    let time = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let number = if found.event.is_visible() { number.to_string() } else { String::new() };
    format!("{number:>5} {time:>13}  {}", text::sentence(lang, run, step))
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
fn load(file: &str, lang: Lang) -> Result<Scenario, String> {
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

fn source_of(file: &str) -> std::io::Result<String> {
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

fn fail(message: &str) -> ExitCode {
    eprint!("{message}");
    ExitCode::from(DIFFERS)
}

/// Prints. A reader that has gone away, as `head` does, is no error.
fn print(text: &str) -> ExitCode {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
