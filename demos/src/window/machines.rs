//! The machines that the window goes through, and the backend of the one in use. A machine that cannot be made or
//! cannot draw never takes the place of one that can.

use gpu_core::config::{DivergenceMechanism, GpuConfig};
use raster::tile_shape::TileShape;
use raster::{Backend, Device, Frame, FrameReport, RenderError};

use crate::inspect::heat::{self, Kind};
use crate::report::describe;

/// What the window draws with: a backend that may know heat maps.
pub trait Viewed: Backend {
    /// Draws what is shown, 0xAARRGGBB: the picture, or instead of it, where this backend is a machine, a heat map.
    fn show(&mut self, frame: &Frame, heat: Option<Kind>) -> Result<Vec<u32>, RenderError> {
        let _ = heat;
        Ok(self.render(frame)?.shown().collect())
    }
}

impl Viewed for Device {
    fn show(&mut self, frame: &Frame, heat: Option<Kind>) -> Result<Vec<u32>, RenderError> {
        match heat {
            Some(kind) => Ok(heat::render(self, frame, kind)?.1.overlay()),
            None => Ok(self.render(frame)?.shown().collect()),
        }
    }
}

/// Makes the backend of a machine from the machine's name and how its programs let lanes diverge.
pub type MakeBackend = Box<dyn Fn(&str, DivergenceMechanism) -> anyhow::Result<Box<dyn Viewed>>>;

/// Names of machines to go through: `first`, then the presets that can draw.
pub fn offered(first: &str) -> Vec<String> {
    let can_draw = |name: &str| GpuConfig::from_name(name).is_ok_and(|config| TileShape::for_machine(&config).is_ok());
    let others = GpuConfig::PRESETS.iter().filter(|name| **name != first && can_draw(name));
    std::iter::once(first).chain(others.copied()).map(str::to_string).collect()
}

/// A machine in use.
struct InUse {
    index: usize,
    divergence: DivergenceMechanism,
    backend: Box<dyn Viewed>,
}

/// The machines and the one in use.
pub struct Machines {
    names: Vec<String>,
    make: MakeBackend,
    now: InUse,
    /// The machine before, until the one in use has drawn a frame.
    before: Option<InUse>,
}

impl Machines {
    /// Starts with the first of `names`, of which there is at least one.
    pub fn new(names: Vec<String>, divergence: DivergenceMechanism, make: MakeBackend) -> anyhow::Result<Self> {
        let now = InUse { index: 0, divergence, backend: make(&names[0], divergence)? };
        Ok(Self { names, make, now, before: None })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The name of the one in use.
    pub fn name(&self) -> &str {
        &self.names[self.now.index]
    }

    /// How programs of the one in use let lanes diverge.
    pub fn divergence(&self) -> DivergenceMechanism {
        self.now.divergence
    }

    /// What the last frame took on the one in use.
    pub fn report(&self) -> Option<&FrameReport> {
        self.now.backend.report()
    }

    /// Takes another machine into use. On an error the one in use stays.
    pub fn choose(&mut self, index: usize, divergence: DivergenceMechanism) -> anyhow::Result<()> {
        let backend = (self.make)(&self.names[index], divergence)?;
        let previous = std::mem::replace(&mut self.now, InUse { index, divergence, backend });
        // If the previous one has not drawn either, the one before it is still the way back.
        self.before.get_or_insert(previous);
        Ok(())
    }

    /// Draws what is shown. If a new machine cannot, the one before draws instead, stays in use, and a message says so.
    pub fn show(&mut self, frame: &Frame, heat: Option<Kind>) -> anyhow::Result<(Vec<u32>, Option<String>)> {
        match self.now.backend.show(frame, heat) {
            Ok(words) => {
                self.before = None;
                Ok((words, None))
            }
            Err(cause) => {
                let failure = anyhow::Error::from(cause);
                let Some(before) = self.before.take() else { return Err(failure) };
                let message = format!("machine {}: {}", self.name(), describe(&failure));
                self.now = before;
                Ok((self.now.backend.show(frame, heat)?, Some(message)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Clear, Reference, Target};

    /// A backend that draws nothing, ever.
    struct Broken;

    impl Backend for Broken {
        fn render(&mut self, _: &Frame) -> Result<Target, RenderError> {
            Err(RenderError::IndexCount { draw: 0, count: 7, what: "indices", list: "triangle list", corners: 3 })
        }

        fn vertices(&mut self, _: &raster::Draw) -> Result<Vec<raster::Vertex>, RenderError> {
            Ok(Vec::new())
        }

        fn name(&self) -> &str {
            "broken"
        }
    }

    impl Viewed for Broken {}
    impl Viewed for Reference {}

    fn machines() -> Machines {
        let make: MakeBackend = Box::new(|name: &str, _| match name {
            "broken" => Ok(Box::new(Broken) as Box<dyn Viewed>),
            "absent" => anyhow::bail!("there is none"),
            _ => Ok(Box::new(Reference::new()) as Box<dyn Viewed>),
        });
        let names = ["good", "absent", "broken", "fine"].map(str::to_string).to_vec();
        Machines::new(names, DivergenceMechanism::Ipdom, make).expect("the first is good")
    }

    const FRAME: Frame = Frame::new(2, 1, Clear::BLACK, Vec::new());

    #[test]
    fn every_offered_machine_can_be_made_and_those_with_two_lanes_are_not_offered() {
        let names = offered("wide");
        for name in &names {
            let config = GpuConfig::from_name(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            Device::new(config).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(names, ["wide", "vortex-4w4t", "vortex-2w8t", "vortex-4w8t", "vortex-8w4t"]);
        assert_eq!(offered("1c2w8t")[..2], ["1c2w8t", "vortex-4w4t"]);
    }

    #[test]
    fn a_machine_that_cannot_be_made_leaves_the_old_one() {
        let mut machines = machines();
        assert!(machines.choose(1, DivergenceMechanism::Mask).is_err());
        assert_eq!(machines.name(), "good");
        assert_eq!(machines.show(&FRAME, None).expect("the old one draws").1, None);
    }

    #[test]
    fn a_machine_that_cannot_draw_gives_way_to_the_last_that_could() {
        let mut machines = machines();
        machines.choose(2, DivergenceMechanism::Mask).expect("it can be made");
        // Chosen again before any frame: the way back is still `good`.
        machines.choose(2, DivergenceMechanism::Mask).expect("it can be made");
        let (_, message) = machines.show(&FRAME, None).expect("`good` draws");
        assert!(message.is_some_and(|text| text.contains("broken") && text.contains("7 indices")));
        assert_eq!(machines.name(), "good");
        machines.choose(3, DivergenceMechanism::Mask).expect("it can be made");
        assert_eq!(machines.show(&FRAME, None).expect("it draws").1, None);
        assert_eq!((machines.name(), machines.divergence()), ("fine", DivergenceMechanism::Mask));
    }

    #[test]
    fn a_machine_shows_heat_and_the_reference_always_the_picture() {
        let mut device = Device::new(GpuConfig::from_name("wide").expect("the preset exists")).expect("it draws");
        for (heat, on_device) in [(None, 0xff00_0000), (Some(Kind::Overdraw), 0xff00_0004)] {
            // No fragment anywhere: the darkest of the scale.
            assert_eq!(device.show(&FRAME, heat).expect("it draws"), [on_device; 2]);
            assert_eq!(Reference::new().show(&FRAME, heat).expect("it draws"), [0xff00_0000; 2]);
        }
    }
}
