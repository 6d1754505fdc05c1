//! `logstep-run`: scenarios without a browser.

mod arguments;
mod commands;
#[cfg(not(target_arch = "wasm32"))]
mod many;

use arguments::{Command, USAGE};
use std::process::ExitCode;

fn main() -> ExitCode {
    match arguments::parse(std::env::args().skip(1)) {
        Ok(Command::Run(run)) => commands::run(&run),
        Ok(Command::Check { files, lang }) => commands::check(&files, lang),
        #[cfg(not(target_arch = "wasm32"))]
        Ok(Command::Sweep(sweep)) => many::sweep(&sweep),
        #[cfg(not(target_arch = "wasm32"))]
        Ok(Command::Describe(describe)) => many::describe(&describe),
        #[cfg(target_arch = "wasm32")]
        Ok(Command::Sweep(_) | Command::Describe(_)) => ExitCode::FAILURE,
        Ok(Command::Schema { as_page, lang }) => commands::schema(as_page, lang),
        Ok(Command::Help) => commands::help(),
        Err(problem) => {
            eprintln!("logstep-run: {problem}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
