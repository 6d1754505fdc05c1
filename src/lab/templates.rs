//! Worlds to begin with.

/// A world to begin with.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Its name, that of its file.
    pub name: &'static str,
    /// Its file.
    pub source: &'static str,
}

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        &[$(Template { name: $name, source: include_str!(concat!("../../static/templates/", $name, ".json")) }),*]
    };
}

/// All of them, in the order in which they are offered.
pub const TEMPLATES: &[Template] =
    templates!["empty", "one-group", "two-groups", "slow-member", "worker-pool", "hot-key", "rolling-restart"];

/// The template with this name.
pub fn find(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.name == name)
}
