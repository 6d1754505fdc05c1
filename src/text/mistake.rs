//! What is wrong with a scenario file.

use super::Lang;
use crate::scenario::Mistake;

/// A mistake in a sentence.
pub fn mistake(_: Lang, mistake: &Mistake) -> String {
    format!("{mistake:?}")
}
