//! Signs on buttons, drawn so that they look the same everywhere. Each button has its name in words beside them.

use yew::prelude::*;

/// A sign of 16 by 16.
pub fn icon(path: &'static str) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d={path} /></svg>
    }
}

/// To the start.
pub const FIRST: &str = "M3 2h1.8v12H3zM14 2L6 8l8 6z";
/// Back.
pub const BACK: &str = "M12 2L4 8l8 6z";
/// Play.
pub const PLAY: &str = "M4 2l9 6-9 6z";
/// Pause.
pub const PAUSE: &str = "M4 2h3v12H4zM9 2h3v12H9z";
/// Forward.
pub const FORWARD: &str = "M3 2l8 6-8 6zM12 2h1.8v12H12z";
/// To the end.
pub const LAST: &str = "M2 2l5.5 6L2 14zM7 2l5.5 6L7 14zM12.6 2h1.8v12h-1.8z";
/// Light and dark.
pub const THEME: &str = "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0 -13zM8 3.2v9.6a4.8 4.8 0 0 1 0 -9.6z";
/// Into a file.
pub const EXPORT: &str =
    "M7.1 1.5h1.8v6.3l2.2-2.2 1.3 1.3L8 11.2 3.6 6.9l1.3-1.3 2.2 2.2zM2 10.5h1.8v2.2h8.4v-2.2H14v4H2z";
/// Another one like it.
pub const COPY: &str = "M2 2h8v1.6H3.6V10H2zM5 5h9v9H5zM6.6 6.6v5.8h5.8V6.6z";
/// Close.
pub const CLOSE: &str = "M3.4 2.2L8 6.8l4.6-4.6 1.2 1.2L9.2 8l4.6 4.6-1.2 1.2L8 9.2l-4.6 4.6-1.2-1.2L6.8 8 2.2 3.4z";
/// The previous scene.
pub const UP: &str = "M10.5 2L4.5 8l6 6 1.3-1.3L7.1 8l4.7-4.7z";
/// The next scene.
pub const DOWN: &str = "M5.5 2l6 6-6 6-1.3-1.3L8.9 8 4.2 3.3z";
/// For an audience.
pub const PRESENT: &str =
    "M1 2h14v1.8H1zM2 4.5h12v7H8.9v1.2l2.6 2.1-1.1 1.3L8 14.2l-2.4 1.9-1.1-1.3 2.6-2.1v-1.2H2zM6.6 6v4l3.4-2z";
