//! The window: a picture of the simulated machine, turned by mouse and keys.
//!
//! `keys` says what a key does, `view_state` what is shown, `machines` on what, `presenter` brings a picture to the screen, and `app` ties
//! them to the event loop. Only `presenter` and `app` know a window system.

pub mod app;
pub mod keys;
pub mod machines;
pub mod presenter;
pub mod view_state;
