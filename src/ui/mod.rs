//! The page: one file or folder for each region of the screen, [`state`] with the one reducer, [`keys`] with the one
//! table of keys.

mod app;
mod browser;
mod caption;
mod compare;
mod dialog;
mod explanation;
mod export;
mod figure;
mod header;
mod host;
mod icons;
mod inspector;
pub mod keys;
mod menu;
pub mod playback;
mod popup;
mod present;
mod reader;
mod records;
mod share;
mod side;
mod stage;
pub mod state;
mod term;
mod transport;
mod verdicts;
mod view;

pub use app::App;

/// Calls back only for events of which `f` makes something.
fn sometimes<E: 'static, T: 'static>(
    callback: &yew::Callback<T>,
    f: impl Fn(E) -> Option<T> + 'static,
) -> yew::Callback<E> {
    let callback = callback.clone();
    yew::Callback::from(move |event| {
        if let Some(made) = f(event) {
            callback.emit(made);
        }
    })
}
