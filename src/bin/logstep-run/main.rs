//! `logstep-run`: scenarios without a browser.

mod arguments;
mod commands;

use arguments::{Command, USAGE};
use std::process::ExitCode;

fn main() -> ExitCode {
    match arguments::parse(std::env::args().skip(1)) {
        Ok(Command::Run(run)) => commands::run(&run),
        Ok(Command::Check { files, lang }) => commands::check(&files, lang),
        Ok(Command::Sweep(sweep)) => commands::sweep(&sweep),
        Ok(Command::Describe(describe)) => commands::describe(&describe),
        Ok(Command::Schema { as_page, lang }) => commands::schema(as_page, lang),
        Ok(Command::Help) => commands::help(),
        Err(problem) => {
            eprintln!("logstep-run: {problem}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
