//! The event loop: events change the view state, a redraw renders a frame and presents it.
//!
//! Before: `view_state`, `keys`. After: nothing; the window closes. A window without area is not drawn, and a redraw
//! that arrives after the wish to leave is ignored, both known ways for window programs to crash.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use raster::target::LARGEST_SIDE;
use winit::application::ApplicationHandler;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use crate::overlay;
use crate::report::{count, describe};
use crate::scenes::{NamedScene, View};
use crate::window::keys;
use crate::window::machines::Machines;
use crate::window::presenter::Presenter;
use crate::window::view_state::{Change, ViewState};

/// Pixels of a touchpad scroll that count as one wheel step.
const PIXELS_PER_STEP: f64 = 40.0;
/// Weight of the newest frame in the smoothed frame time.
const SMOOTHING: f64 = 0.1;

/// How a show ended.
pub enum Ended {
    /// The user left.
    Closed,
    /// There was never a picture in a window; the reason.
    NoWindow(String),
}

/// Opens the window and runs it until the user leaves. There is at least one scene.
pub fn run(scenes: Vec<NamedScene>, machines: Machines, state: ViewState) -> anyhow::Result<Ended> {
    let event_loop = match quietly(EventLoop::new) {
        Some(Ok(event_loop)) => event_loop,
        Some(Err(cause)) => return Ok(Ended::NoWindow(format!("no display: {}", without_place(&cause.to_string())))),
        None => return Ok(Ended::NoWindow(NOT_STARTED.to_string())),
    };
    let mut app = App {
        scenes,
        machines,
        state,
        screen: None,
        drag: None,
        shown_at: Instant::now(),
        frame_seconds: None,
        notice: None,
        has_shown: false,
        is_leaving: false,
        ended: Ok(Ended::Closed),
    };
    match event_loop.run_app(&mut app) {
        Err(cause) if !app.has_shown => Ok(Ended::NoWindow(without_place(&cause.to_string()))),
        Err(cause) => anyhow::bail!("the window system failed: {}", without_place(&cause.to_string())),
        Ok(()) => app.ended,
    }
}

/// What is said where the window system gives no reason.
const NOT_STARTED: &str = "the window system could not be started; is a part of it, such as libxkbcommon-x11, missing?";

/// Runs what may panic in a window system with a missing part (winit does without libxkbcommon-x11); `None` if it did.
/// The panic prints nothing.
fn quietly<Output>(start: impl FnOnce() -> Output) -> Option<Output> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(start));
    std::panic::set_hook(hook);
    outcome.ok()
}

/// A message of the window system on one line, without the place in its source that it begins with.
fn without_place(message: &str) -> String {
    const BEFORE: &str = "os error at ";
    let mut rest = message;
    // `os error at FILE.rs:LINE: reason`, where the reason may be another of the kind.
    while let Some(at) = rest.find(BEFORE) {
        let place = &rest[at + BEFORE.len()..];
        let Some(reason) = place.find(".rs:").and_then(|end| place[end..].find(": ").map(|past| end + past + 2)) else {
            break;
        };
        rest = &place[reason..];
    }
    let line = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches('.').to_string()
}

/// The window and the way into it.
struct Screen {
    window: Arc<Window>,
    presenter: Presenter,
}

struct App {
    scenes: Vec<NamedScene>,
    machines: Machines,
    state: ViewState,
    screen: Option<Screen>,
    /// Where the pointer was last, while the button is held; not a number until it moves.
    drag: Option<PhysicalPosition<f64>>,
    shown_at: Instant,
    /// Smoothed over frames.
    frame_seconds: Option<f64>,
    /// What went wrong last, shown until the scene or the machine changes.
    notice: Option<String>,
    /// Whether a picture has been in the window.
    has_shown: bool,
    is_leaving: bool,
    ended: anyhow::Result<Ended>,
}

impl App {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> anyhow::Result<()> {
        let size = PhysicalSize::new(self.state.width, self.state.height);
        let attributes = Window::default_attributes().with_title("Warpaint").with_inner_size(size);
        let window = Arc::new(event_loop.create_window(attributes).context("cannot open a window")?);
        let inner = drawable(window.inner_size());
        let presenter = Presenter::new(&window, inner.width.max(1), inner.height.max(1))?;
        self.state.resize(inner.width, inner.height);
        window.request_redraw();
        self.screen = Some(Screen { window, presenter });
        Ok(())
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let Some(screen) = &mut self.screen else { return Ok(()) };
        let now = Instant::now();
        let since = now.duration_since(self.shown_at).as_secs_f64();
        self.shown_at = now;
        let smoothed = self.frame_seconds.map_or(since, |before| before + SMOOTHING * (since - before));
        self.frame_seconds = Some(smoothed);
        // A long stop (the window was hidden, the machine changed) is no leap of the animation.
        self.state.advance(since.min(0.25) as f32);
        let NamedScene { name, scene } = &self.scenes[self.state.scene];
        let state = &self.state;
        let frame = scene.frame(&View {
            width: state.width,
            height: state.height,
            time: state.time,
            filter: state.filter,
            camera: state.camera,
        });
        let mut words: Vec<u32> = match self.machines.show(&frame, state.heat) {
            Ok((words, message)) => {
                self.notice = message.or(self.notice.take());
                words
            }
            // A window that cannot show the first scene has no use; one that cannot show another says why.
            Err(failure) if !self.has_shown => return Err(failure),
            Err(failure) => {
                self.notice = Some(format!("scene {name}: {}", describe(&failure)));
                vec![0xff00_0000; state.width as usize * state.height as usize]
            }
        };
        let mut lines = Vec::new();
        if state.has_overlay {
            lines.extend([
                format!(
                    "{:5.1} ms  {:4.1} frames/s  {}",
                    smoothed * 1e3,
                    1.0 / smoothed.max(1e-6),
                    screen.presenter.name()
                ),
                format!(
                    "scene {name}  {}  filter {}",
                    count(frame.triangle_count() as u64, "primitive"),
                    state.filter.name()
                ),
                format!(
                    "machine {}  divergence {}{}",
                    self.machines.name(),
                    self.machines.divergence().name(),
                    if state.is_paused { "  paused" } else { "" }
                ),
            ]);
            lines.extend(self.machines.report().filter(|report| report.vertex_work.launches > 0).map(|report| {
                let share = report.vertex_work.warp_instructions as f64 / report.warp_instructions.max(1) as f64;
                format!("vertices by shaders {}  {:.1} % of instructions", report.vertices, 100.0 * share)
            }));
            lines.extend(self.machines.report().and_then(|report| {
                let timed = report.timed.as_ref()?;
                let rates = timed.counters.rates(report.lanes);
                let rate = |name: &str| rates.iter().find(|(known, _)| *known == name).and_then(|(_, rate)| *rate);
                let text = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{rate:.2}"));
                let [ipc, active, texels] = ["ipc", "simd_efficiency", "tcache_hit_rate"].map(|name| text(rate(name)));
                Some(format!("{} cycles  IPC {ipc}  lanes {active}  texel hits {texels}", timed.counters.cycles))
            }));
            lines.extend(keys::HELP.iter().map(ToString::to_string));
        }
        lines.extend(self.notice.iter().flat_map(|text| text.lines().map(str::to_string)));
        if !lines.is_empty() {
            overlay::draw(&mut words, state.width, state.height, &lines);
        }
        match screen.presenter.present(&words, state.width, state.height) {
            Ok(()) => self.has_shown = true,
            Err(cause) if !self.has_shown => {
                self.ended = Ok(Ended::NoWindow(describe(&cause.into())));
                self.is_leaving = true;
            }
            Err(cause) => return Err(cause.into()),
        }
        Ok(())
    }

    fn follow(&mut self, change: Change, event_loop: &ActiveEventLoop) -> anyhow::Result<()> {
        match change {
            Change::Redraw => {}
            Change::Scene => {
                self.state.camera = self.scenes[self.state.scene].scene.camera();
                self.notice = None;
            }
            Change::Machine => {
                self.notice =
                    self.machines.choose(self.state.machine, self.state.divergence).err().map(|e| describe(&e))
            }
            Change::Quit => {
                self.is_leaving = true;
                event_loop.exit();
            }
        }
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
        Ok(())
    }

    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) -> anyhow::Result<()> {
        match event {
            WindowEvent::CloseRequested => self.follow(Change::Quit, event_loop)?,
            WindowEvent::Resized(size) => {
                let size = drawable(size);
                self.state.resize(size.width, size.height);
                self.follow(Change::Redraw, event_loop)?;
            }
            WindowEvent::KeyboardInput { event, .. } => {
                if let Some(action) = keys::action_of_event(&event) {
                    let change = self.state.apply(action);
                    self.follow(change, event_loop)?;
                }
            }
            WindowEvent::MouseInput { state: ElementState::Released, button: MouseButton::Left, .. } => {
                self.drag = None;
            }
            WindowEvent::MouseInput { button: MouseButton::Left, .. } => {
                self.drag = Some(PhysicalPosition::new(f64::NAN, f64::NAN));
            }
            WindowEvent::CursorMoved { position, .. } => {
                if let Some(before) = self.drag {
                    self.orbit(before, position);
                    self.drag = Some(position);
                }
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let steps = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => lines,
                    MouseScrollDelta::PixelDelta(by) => (by.y / PIXELS_PER_STEP) as f32,
                };
                let change = self.state.apply(keys::Action::Zoom(steps));
                self.follow(change, event_loop)?;
            }
            WindowEvent::RedrawRequested if self.state.is_visible() && !self.is_leaving => {
                self.draw()?;
                if self.is_leaving {
                    event_loop.exit();
                }
                // A paused picture is drawn again only when something changes.
                if let Some(screen) = self.screen.as_ref().filter(|_| !self.state.is_paused) {
                    screen.window.request_redraw();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn orbit(&mut self, before: PhysicalPosition<f64>, now: PhysicalPosition<f64>) {
        if before.x.is_finite() {
            self.state.camera.orbit((now.x - before.x) as f32, (now.y - before.y) as f32);
        }
    }
}

/// The part of a window, from its upper left corner, that a picture can cover.
fn drawable(window: PhysicalSize<u32>) -> PhysicalSize<u32> {
    PhysicalSize::new(window.width.min(LARGEST_SIDE), window.height.min(LARGEST_SIDE))
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        event_loop.set_control_flow(ControlFlow::Wait);
        if self.screen.is_some() {
            return;
        }
        let reason = match quietly(|| self.open(event_loop)) {
            Some(Ok(())) => return,
            Some(Err(failure)) => without_place(&describe(&failure)),
            None => NOT_STARTED.to_string(),
        };
        self.ended = Ok(Ended::NoWindow(reason));
        self.is_leaving = true;
        event_loop.exit();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Err(failure) = self.handle(event_loop, event) {
            if self.ended.is_ok() {
                self.ended = Err(failure);
            }
            self.is_leaving = true;
            event_loop.exit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_no_source_of_the_window_system() {
        let plain = "os error at /x/.cargo/registry/winit-0.30/src/platform_impl/linux/mod.rs:765: neither A nor DISPLAY is set.";
        assert_eq!(without_place(plain), "neither A nor DISPLAY is set");
        let nested = format!("cannot open a window: os error at b.rs:1: {plain}");
        assert_eq!(without_place(&nested), "neither A nor DISPLAY is set");
        assert_eq!(without_place("the server\nis gone"), "the server is gone");
        assert_eq!(without_place("os error at nowhere"), "os error at nowhere");
    }

    #[test]
    fn a_panic_of_the_window_system_is_no_panic_of_ours() {
        assert_eq!(quietly(|| 3), Some(3));
        assert_eq!(quietly(|| -> u32 { panic!("libxkbcommon-x11 is missing") }), None);
    }

    #[test]
    fn a_picture_is_never_larger_than_the_largest_target() {
        assert_eq!(drawable(PhysicalSize::new(9000, 3)), PhysicalSize::new(LARGEST_SIDE, 3));
        assert_eq!(drawable(PhysicalSize::new(0, 20_000)), PhysicalSize::new(0, LARGEST_SIDE));
    }
}
