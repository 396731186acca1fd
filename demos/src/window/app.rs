//! The event loop: events change the view state, a redraw renders a frame and presents it.
//!
//! Before: `view_state`, `keys`. After: nothing; the window closes. A window without area is not drawn, and a redraw
//! that arrives after the wish to leave is ignored, both known ways for window programs to crash.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use raster::Backend;
use winit::application::ApplicationHandler;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use crate::overlay;
use crate::scenes::{NamedScene, View};
use crate::window::keys;
use crate::window::presenter::Presenter;
use crate::window::view_state::{Change, ViewState};

/// Pixels of a touchpad scroll that count as one wheel step.
const PIXELS_PER_STEP: f64 = 40.0;
/// Weight of the newest frame in the smoothed frame time.
const SMOOTHING: f64 = 0.1;

/// What the window can show, and on what.
pub struct Show {
    /// At least one.
    pub scenes: Vec<NamedScene>,
    /// Names of the machines to go through; at least one.
    pub machines: Vec<String>,
    /// Makes the backend of a machine.
    pub backend: MakeBackend,
}

/// Makes the backend of a machine from the machine's name.
pub type MakeBackend = Box<dyn Fn(&str) -> anyhow::Result<Box<dyn Backend>>>;

/// How a show ended.
pub enum Ended {
    /// The user left.
    Closed,
    /// There is no display; the reason.
    NoDisplay(String),
}

/// Opens the window and runs it until the user leaves.
pub fn run(show: Show, state: ViewState) -> anyhow::Result<Ended> {
    // Inside catch_unwind: winit panics where a part of X11 (libxkbcommon-x11) is missing.
    let created = catch_unwind(AssertUnwindSafe(EventLoop::new));
    let event_loop = match created {
        Ok(Ok(event_loop)) => event_loop,
        Ok(Err(cause)) => return Ok(Ended::NoDisplay(cause.to_string())),
        Err(_) => return Ok(Ended::NoDisplay("the window system could not be started".to_string())),
    };
    let backend = (show.backend)(&show.machines[state.machine])?;
    let mut app = App {
        show,
        backend,
        state,
        screen: None,
        drag: None,
        shown_at: Instant::now(),
        frame_seconds: None,
        is_leaving: false,
        failure: None,
    };
    event_loop.run_app(&mut app).context("the window system failed")?;
    match app.failure {
        Some(failure) => Err(failure),
        None => Ok(Ended::Closed),
    }
}

/// The window and the way into it.
struct Screen {
    window: Arc<Window>,
    presenter: Presenter,
}

struct App {
    show: Show,
    backend: Box<dyn Backend>,
    state: ViewState,
    screen: Option<Screen>,
    /// Where the pointer was last, while the button is held; not a number until it moves.
    drag: Option<PhysicalPosition<f64>>,
    shown_at: Instant,
    /// Smoothed over frames.
    frame_seconds: Option<f64>,
    is_leaving: bool,
    failure: Option<anyhow::Error>,
}

impl App {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> anyhow::Result<()> {
        let size = PhysicalSize::new(self.state.width, self.state.height);
        let attributes = Window::default_attributes().with_title("Warpaint").with_inner_size(size);
        let window = Arc::new(event_loop.create_window(attributes).context("cannot open a window")?);
        let inner = window.inner_size();
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
        let NamedScene { name, scene } = &self.show.scenes[self.state.scene];
        let state = &self.state;
        let frame = scene.frame(&View {
            width: state.width,
            height: state.height,
            time: state.time,
            filter: state.filter,
            camera: state.camera,
        });
        let triangles = frame.triangle_count();
        let target = self.backend.render(&frame)?;
        let mut words: Vec<u32> = target.shown().collect();
        if state.has_overlay {
            let machine = &self.show.machines[state.machine];
            let mut lines = vec![
                format!(
                    "{:5.1} ms  {:4.1} frames/s  {}",
                    smoothed * 1e3,
                    1.0 / smoothed.max(1e-6),
                    screen.presenter.name()
                ),
                format!("scene {name}  {triangles} triangles  filter {}", state.filter.name()),
                format!("machine {machine}{}", if state.is_paused { "  paused" } else { "" }),
            ];
            lines.extend(keys::HELP.iter().map(ToString::to_string));
            overlay::draw(&mut words, state.width, state.height, &lines);
        }
        screen.presenter.present(&words, state.width, state.height)?;
        Ok(())
    }

    fn follow(&mut self, change: Change, event_loop: &ActiveEventLoop) -> anyhow::Result<()> {
        match change {
            Change::Redraw => {}
            Change::Scene => self.state.camera = self.show.scenes[self.state.scene].scene.camera(),
            Change::Machine => self.backend = (self.show.backend)(&self.show.machines[self.state.machine])?,
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

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        event_loop.set_control_flow(ControlFlow::Wait);
        if self.screen.is_none()
            && let Err(failure) = self.open(event_loop)
        {
            self.failure = Some(failure);
            event_loop.exit();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Err(failure) = self.handle(event_loop, event) {
            self.failure.get_or_insert(failure);
            self.is_leaving = true;
            event_loop.exit();
        }
    }
}
