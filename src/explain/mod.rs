//! From a step to its reasons: pure data, no words.
//!
//! [`why`] gathers what a good teacher would point at: the earlier steps that led here, the settings that made it so,
//! and the arithmetic behind the numbers. [`verdicts`] sums up a run up to the present moment, [`compare`] puts runs of one setup
//! beside each other.

mod alternatives;
mod calculation;
mod causes;
mod chain;
pub mod compare;
mod concern;
mod configuration;
pub mod lag;
pub mod lookup;
mod reasons;
mod settings;
mod stake;
mod verdict;

pub use alternatives::{Alternative, Alternatives, Beside, HasToBe, TakesEffect, alternatives};
pub use calculation::{Calculation, Share, Uncommitted};
pub use causes::{leads_back_to_action_or_fault, roots};
pub use chain::{Link, MAX_LINKS, Origin, chain, origin};
pub use concern::{Idle, IdleBecause, concerned, decisive_step, idle};
pub use configuration::{Configuration, Configured, Part, configuration};
pub use reasons::{MAX_REASONS, Reason};
pub use settings::{Owner, Setting, SettingUse, SettingValue, setting_name};
pub use stake::{Resumes, Stake, stakes};
pub use verdict::{Verdict, verdicts};

use crate::sim::{Simulation, StepNo};

/// Why a step happened as it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The step that is explained.
    pub step: StepNo,
    /// The steps that led to it, in the order in which they happened: the root comes first. At most [`MAX_REASONS`].
    pub reasons: Vec<Reason>,
    /// The settings that made it so.
    pub settings: Vec<SettingUse>,
    /// The arithmetic behind its numbers.
    pub calculation: Option<Calculation>,
}

/// Explains a known step; past or future, it makes no difference. A step that is not known has no reasons.
pub fn why(run: &Simulation, step: StepNo) -> Why {
    Why {
        step,
        reasons: reasons::reasons(run, step),
        settings: settings::settings(run, step),
        calculation: calculation::calculation(run, step),
    }
}
