//! The commands that run a scenario many times, or up to a moment. There are none of these in WebAssembly, for which Cargo builds
//! this program, too.

use crate::arguments::{Describe, Over, Sweep as Sweeping};
use crate::commands::{STOPPED, fail, load, print, source_of};
use logstep::export;
use logstep::sim::{Action, ClientId, Progress, Simulation, Time};
use logstep::sweep::variation::{Problem, vary as vary_source};
use logstep::sweep::{Ending, Sweep};
use logstep::text::{self, Lang, mistake};
use std::process::ExitCode;

/// `sweep`: a table of the outcomes of many runs.
pub fn sweep(options: &Sweeping) -> ExitCode {
    let lang = options.lang;
    let scenario = match load(&options.file, lang) {
        Ok(scenario) => scenario,
        Err(message) => return fail(&message),
    };
    let mut sweep = match &options.over {
        Over::Crash => {
            let is_crash = |action: Action| matches!(action, Action::Crash(ClientId::Consumer(_)));
            let left_out = scenario.setup.actions.iter().filter(|planned| is_crash(planned.action)).count();
            if left_out > 0 {
                eprintln!("{}", text::sweep::crashes_left_out(lang, left_out));
            }
            Sweep::of_crashes(&scenario.setup)
        }
        &Over::Seeds(first, last) => Sweep::of_seeds(&scenario.setup, first, last),
        Over::Values { name, values } => match vary(&options.file, name, values, lang) {
            Ok(sweep) => sweep,
            Err(message) => return fail(&message),
        },
    };
    sweep.finish();
    let run = scenario.run();
    let text = match options.json {
        true => export::sweep_json(&run, &sweep),
        false => text::sweep::table(lang, &run, &sweep),
    };
    let printed = print(&text);
    let complete = sweep.ending() == Some(Ending::Complete) && sweep.rows().iter().all(|row| row.ended);
    if complete { printed } else { ExitCode::from(STOPPED) }
}

fn vary(file: &str, name: &str, values: &[String], lang: Lang) -> Result<Sweep, String> {
    let source = source_of(file).map_err(|error| format!("{file}: {error}\n"))?;
    vary_source(&source, name, values).map(Sweep::of_runs).map_err(|problem| match problem {
        Problem::NoSuchSetting(allowed) => {
            format!("{file}: {}\n", text::sweep::no_such_setting(lang, name, &allowed))
        }
        Problem::Refused(value, mistakes) => {
            let with = text::sweep::with_value(lang, name, &value);
            let line = |found| format!("{file}: {with}: {}\n", mistake::mistake(lang, found));
            mistakes.iter().map(line).collect()
        }
    })
}

/// `describe`: the groups at a moment, as Kafka's own tool prints them.
pub fn describe(options: &Describe) -> ExitCode {
    let scenario = match load(&options.file, options.lang) {
        Ok(scenario) => scenario,
        Err(message) => return fail(&message),
    };
    let until = Time::ZERO + options.at;
    if until > scenario.setup.ends_at {
        return fail(&format!(
            "{}: {}\n",
            options.file,
            text::sweep::after_the_end(options.lang, scenario.setup.ends_at)
        ));
    }
    // How many steps the moment has seen is known only once the next one happens later.
    let mut ahead = Simulation::new(scenario.setup.clone());
    let mut steps = 0;
    while let Progress::Step(step) = ahead.step()
        && step.at <= until
    {
        steps = ahead.steps();
    }
    let mut run = Simulation::new(scenario.setup);
    while run.steps() < steps && matches!(run.step(), Progress::Step(_)) {}
    print(&export::describe(&run, options.what))
}
