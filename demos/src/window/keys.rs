//! What a key does.
//!
//! Shortcuts go by the letter the key types, so that they match the help text on every keyboard. Movement goes by the
//! key's position, so that the W-A-S-D block stays a block (on AZERTY its keys type Z-Q-S-D).

use winit::event::KeyEvent;
use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

/// What the user asks for.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Action {
    /// The scene after the current one.
    NextScene,
    /// The scene before it.
    PreviousScene,
    /// Point, bilinear, trilinear, and round again.
    NextFilter,
    /// The next machine preset.
    NextMachine,
    /// The other mechanism of divergence.
    NextDivergence,
    /// Stop or go on.
    TogglePause,
    /// Show or hide the figures.
    ToggleOverlay,
    /// The next heat map; after the last one the picture.
    NextHeat,
    /// The camera as it was at the start.
    ResetCamera,
    /// Move the target right and up, in fractions of the picture's height.
    Pan(f32, f32),
    /// Nearer (positive) or farther, in wheel steps.
    Zoom(f32),
    /// Leave.
    Quit,
}

/// How far a movement key pans.
const PAN_STEP: f32 = 0.05;

/// The lines of the help text, as the overlay shows them.
pub const HELP: &[&str] = &[
    "drag: orbit    wheel or + -: zoom    W A S D (by position) or arrows: pan",
    "N: next scene    B: scene before    F: filter    M: machine    P or space: pause",
    "T: thread masks or stack    O: overlay    H: heat map    R: reset camera    Esc or Q: quit",
];

/// The action of a pressed key, by its position for movement, else by what it types.
pub fn action_of(physical: PhysicalKey, logical: &Key) -> Option<Action> {
    match logical {
        Key::Named(NamedKey::Escape) => return Some(Action::Quit),
        Key::Named(NamedKey::Space) => return Some(Action::TogglePause),
        Key::Named(NamedKey::Tab) => return Some(Action::NextScene),
        Key::Named(NamedKey::ArrowLeft) => return Some(Action::Pan(-PAN_STEP, 0.0)),
        Key::Named(NamedKey::ArrowRight) => return Some(Action::Pan(PAN_STEP, 0.0)),
        Key::Named(NamedKey::ArrowUp) => return Some(Action::Pan(0.0, PAN_STEP)),
        Key::Named(NamedKey::ArrowDown) => return Some(Action::Pan(0.0, -PAN_STEP)),
        _ => {}
    }
    match physical {
        PhysicalKey::Code(KeyCode::KeyW) => return Some(Action::Pan(0.0, PAN_STEP)),
        PhysicalKey::Code(KeyCode::KeyA) => return Some(Action::Pan(-PAN_STEP, 0.0)),
        PhysicalKey::Code(KeyCode::KeyS) => return Some(Action::Pan(0.0, -PAN_STEP)),
        PhysicalKey::Code(KeyCode::KeyD) => return Some(Action::Pan(PAN_STEP, 0.0)),
        _ => {}
    }
    let Key::Character(text) = logical else { return None };
    Some(match text.to_lowercase().as_str() {
        "n" => Action::NextScene,
        "b" => Action::PreviousScene,
        "f" => Action::NextFilter,
        "m" => Action::NextMachine,
        "t" => Action::NextDivergence,
        "p" => Action::TogglePause,
        "o" => Action::ToggleOverlay,
        "h" => Action::NextHeat,
        "r" => Action::ResetCamera,
        "q" => Action::Quit,
        "+" | "=" => Action::Zoom(1.0),
        "-" => Action::Zoom(-1.0),
        _ => return None,
    })
}

/// [`action_of`] a window event; a released key does nothing.
pub fn action_of_event(event: &KeyEvent) -> Option<Action> {
    event.state.is_pressed().then(|| action_of(event.physical_key, &event.logical_key)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, text: &str) -> Option<Action> {
        action_of(PhysicalKey::Code(code), &Key::Character(text.into()))
    }

    /// The key that sits where W is on a US keyboard types "z" in France; the key that types "m" sits elsewhere.
    #[test]
    fn a33_movement_goes_by_position_and_shortcuts_by_letter_on_azerty() {
        assert_eq!(press(KeyCode::KeyW, "z"), Some(Action::Pan(0.0, PAN_STEP)));
        assert_eq!(press(KeyCode::KeyA, "q"), Some(Action::Pan(-PAN_STEP, 0.0)));
        assert_eq!(press(KeyCode::Semicolon, "m"), Some(Action::NextMachine));
        assert_eq!(press(KeyCode::KeyQ, "a"), None, "typing `a` is no shortcut, wherever the key is");
        assert_eq!(press(KeyCode::KeyM, ","), None);
        assert_eq!(press(KeyCode::KeyN, "N"), Some(Action::NextScene), "with shift or caps lock too");
    }

    #[test]
    fn escape_leaves_whatever_key_types_it() {
        let escape = Key::Named(NamedKey::Escape);
        assert_eq!(action_of(PhysicalKey::Code(KeyCode::CapsLock), &escape), Some(Action::Quit));
    }

    #[test]
    fn the_help_names_every_shortcut_and_says_which_go_by_position() {
        let help = HELP.join(" ");
        for (code, text) in [
            (KeyCode::KeyN, "n"),
            (KeyCode::KeyB, "b"),
            (KeyCode::KeyF, "f"),
            (KeyCode::KeyM, "m"),
            (KeyCode::KeyT, "t"),
            (KeyCode::KeyP, "p"),
            (KeyCode::KeyO, "o"),
            (KeyCode::KeyH, "h"),
            (KeyCode::KeyR, "r"),
        ] {
            assert!(press(code, text).is_some(), "{text}");
            assert!(
                help.contains(&format!("{}:", text.to_uppercase()))
                    || help.contains(&format!("{} or", text.to_uppercase())),
                "{text}"
            );
        }
        assert!(help.contains("by position"));
    }
}
