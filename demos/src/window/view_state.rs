//! What the window shows: which scene, filter and machine, the camera, the clock, the size. Knows no window system, so
//! that resizing and keys can be tested without one.

use gpu_core::config::DivergenceMechanism;

use crate::camera::Camera;
use crate::inspect::heat::Kind;
use crate::scenes::Filter;
use crate::window::keys::Action;

/// The state; plain data.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewState {
    /// Index of the scene shown.
    pub scene: usize,
    /// How many scenes there are; at least one.
    pub scene_count: usize,
    /// How textures are filtered.
    pub filter: Filter,
    /// Index of the machine preset.
    pub machine: usize,
    /// How many presets there are; at least one.
    pub machine_count: usize,
    /// How programs let lanes diverge.
    pub divergence: DivergenceMechanism,
    /// Whether the animation stands still.
    pub is_paused: bool,
    /// Whether the figures are drawn.
    pub has_overlay: bool,
    /// The heat map that is shown instead of the picture.
    pub heat: Option<Kind>,
    /// Where we look from.
    pub camera: Camera,
    /// Animation time in seconds.
    pub time: f32,
    /// Inner width of the window in pixels; zero while minimised.
    pub width: u32,
    /// Inner height.
    pub height: u32,
}

/// What the caller has to do after an action.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Draw again.
    Redraw,
    /// Another scene: its camera takes the place of the current one.
    Scene,
    /// Another machine: make it, then draw.
    Machine,
    /// Leave.
    Quit,
}

impl ViewState {
    /// Takes an action in and says what follows.
    pub fn apply(&mut self, action: Action) -> Change {
        match action {
            Action::NextScene => {
                self.scene = (self.scene + 1) % self.scene_count;
                return Change::Scene;
            }
            Action::PreviousScene => {
                self.scene = (self.scene + self.scene_count - 1) % self.scene_count;
                return Change::Scene;
            }
            Action::ResetCamera => return Change::Scene,
            Action::NextMachine => {
                self.machine = (self.machine + 1) % self.machine_count;
                return Change::Machine;
            }
            Action::NextDivergence => {
                self.divergence = match self.divergence {
                    DivergenceMechanism::Ipdom => DivergenceMechanism::Mask,
                    DivergenceMechanism::Mask => DivergenceMechanism::Ipdom,
                };
                return Change::Machine;
            }
            Action::Quit => return Change::Quit,
            Action::NextFilter => self.filter = self.filter.next(),
            Action::TogglePause => self.is_paused = !self.is_paused,
            Action::ToggleOverlay => self.has_overlay = !self.has_overlay,
            Action::NextHeat => self.heat = next_heat(self.heat),
            Action::Pan(right, up) => self.camera.pan(right, up),
            Action::Zoom(steps) => self.camera.zoom(steps),
        }
        Change::Redraw
    }

    /// The window has a new inner size; zero in either direction means that nothing can be seen.
    pub fn resize(&mut self, width: u32, height: u32) {
        (self.width, self.height) = (width, height);
    }

    /// Whether there is any pixel to draw.
    pub fn is_visible(&self) -> bool {
        self.width > 0 && self.height > 0
    }

    /// Moves the animation on by `seconds`, unless it is paused or nothing can be seen.
    pub fn advance(&mut self, seconds: f32) {
        if !self.is_paused && self.is_visible() {
            self.time += seconds;
        }
    }
}

/// None, then each kind, then none again.
fn next_heat(heat: Option<Kind>) -> Option<Kind> {
    let next = heat.map_or(0, |now| Kind::ALL.iter().position(|kind| *kind == now).map_or(0, |index| index + 1));
    Kind::ALL.get(next).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> ViewState {
        ViewState {
            scene: 0,
            scene_count: 3,
            filter: Filter::Point,
            machine: 0,
            machine_count: 2,
            divergence: DivergenceMechanism::Ipdom,
            is_paused: false,
            has_overlay: true,
            heat: None,
            camera: Camera::at_distance(4.0),
            time: 0.0,
            width: 640,
            height: 480,
        }
    }

    #[test]
    fn a32_a_window_without_area_stands_still_and_goes_on_afterwards() {
        let mut state = state();
        for (width, height, visible) in
            [(0, 0, false), (1, 0, false), (0, 7, false), (1, 1, true), (17, 3, true), (640, 480, true)]
        {
            state.resize(width, height);
            let before = state.time;
            state.advance(0.5);
            assert_eq!(state.is_visible(), visible, "{width} x {height}");
            assert_eq!(state.time > before, visible, "{width} x {height}");
        }
    }

    #[test]
    fn scenes_filters_and_machines_go_round() {
        let mut state = state();
        assert_eq!(state.apply(Action::PreviousScene), Change::Scene);
        assert_eq!(state.scene, 2);
        state.apply(Action::NextScene);
        assert_eq!(state.scene, 0);
        let filters = [0; 3].map(|_| {
            state.apply(Action::NextFilter);
            state.filter
        });
        assert_eq!(filters, [Filter::Bilinear, Filter::Trilinear, Filter::Point]);
        assert_eq!(
            [0; 2].map(|_| (state.apply(Action::NextMachine), state.machine)),
            [(Change::Machine, 1), (Change::Machine, 0)]
        );
        let mechanisms = [0; 2].map(|_| (state.apply(Action::NextDivergence), state.divergence, state.machine));
        assert_eq!(
            mechanisms,
            [(Change::Machine, DivergenceMechanism::Mask, 0), (Change::Machine, DivergenceMechanism::Ipdom, 0)]
        );
        assert_eq!(state.apply(Action::Quit), Change::Quit);
    }

    #[test]
    fn heat_maps_go_round_by_way_of_the_picture() {
        let mut state = state();
        let seen = [0; Kind::ALL.len() + 2].map(|_| {
            assert_eq!(state.apply(Action::NextHeat), Change::Redraw);
            state.heat
        });
        assert_eq!((seen[0], seen[4], seen[5], seen[6]), (Some(Kind::Overdraw), Some(Kind::Cycles), None, seen[0]));
    }

    #[test]
    fn pause_stops_the_clock() {
        let mut state = state();
        state.apply(Action::TogglePause);
        state.advance(1.0);
        assert_eq!(state.time, 0.0);
        state.apply(Action::TogglePause);
        state.advance(1.0);
        assert_eq!(state.time, 1.0);
    }
}
