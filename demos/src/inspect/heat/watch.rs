//! Observes the launches of a frame and books what they do on pixels, quads and tiles.
//!
//! Before: the device hands each launch to it. After: [`HeatWatch::finish`] gives the map.

use gpu_core::gpu::{Gpu, LaunchError, LaunchReport, Mode, RunState};
use gpu_core::launcher::Launcher;
use gpu_core::observe::{Moment, Observer, Stall, TimedObserver};
use gpu_core::program::Program;
use gpu_core::retired::{Effect, Retired};
use gpu_core::trap::AccessKind;
use gpu_core::units::{Address, CoreId, MAX_LANES, ThreadMask, WarpId};
use raster::target::PADDING;
use raster::{Device, Frame};
use shaders::tile_records::Tile;
use texture::Stage;

use crate::inspect::heat::{HeatMap, Kind, ShadedTotals, SlotCycles, Totals};

/// What is known of a pixel.
#[derive(Copy, Clone, Debug, Default)]
struct PixelHeat {
    /// Fragments shaded.
    fragments: u32,
    /// The finest level that the last of them sampled.
    level: Option<u8>,
}

/// What is known of a quad of pixels.
#[derive(Copy, Clone, Debug, Default)]
struct QuadHeat {
    fragments: u32,
    helpers: u32,
}

/// What is known of a tile.
#[derive(Copy, Clone, Debug, Default)]
struct TileHeat {
    warp_instructions: u64,
    lane_instructions: u64,
    /// Of issue slots.
    cycles: u64,
}

/// Where a warp is.
#[derive(Copy, Clone, Debug)]
struct Place {
    /// Index into `tiles`.
    tile: Option<usize>,
    /// Lanes that shade, and the pixel of each.
    shading: ThreadMask,
    pixels: [u32; MAX_LANES],
}

const NOWHERE: Place = Place { tile: None, shading: ThreadMask::EMPTY, pixels: [0; MAX_LANES] };

/// A piece of device memory.
#[derive(Copy, Clone, Debug, Default)]
struct Span {
    start: u32,
    bytes: u32,
}

impl Span {
    /// A region by the name that the device gives it; empty if there is none.
    fn named(gpu: &Gpu, name: &str) -> Self {
        let region = gpu.memory().regions().iter().find(|region| region.name == name);
        region.map_or(Self::default(), |region| Self { start: region.start.0, bytes: region.bytes })
    }

    /// How far an address lies in it.
    fn offset(self, address: u32) -> Option<u32> {
        let offset = address.wrapping_sub(self.start);
        (offset < self.bytes).then_some(offset)
    }
}

/// A launcher that books what it sees.
#[derive(Debug)]
pub struct HeatWatch {
    width: u32,
    height: u32,
    /// Pixels from one row of the target to the next.
    pitch: u32,
    tile_side: u32,
    /// Issue slots of a core.
    slots: u32,
    lanes: u32,
    pixels: Vec<PixelHeat>,
    quads: Vec<QuadHeat>,
    tiles: Vec<TileHeat>,
    /// Of the launch: what belongs to no tile, and whether a warp has come to one.
    outside: TileHeat,
    has_tiles: bool,
    /// What belongs to no tile, of launches that draw and of launches that make vertices.
    other: TileHeat,
    vertices: TileHeat,
    /// Slot cycles of the launch that were seen.
    seen_cycles: u64,
    warps: usize,
    places: Vec<Place>,
    /// Of the launch: where the marks and the tile records lie, and which tile each record is.
    marks: Span,
    records: Span,
    order: Vec<usize>,
    stages: Vec<Stage>,
}

impl HeatWatch {
    /// For a frame on a device that draws it in tiles of so many pixels along each side.
    pub fn new(device: &Device, frame: &Frame, side: u32) -> Self {
        let (width, height) = (frame.width, frame.height);
        let config = device.gpu().config();
        let count = |side: u32| width.div_ceil(side) as usize * height.div_ceil(side) as usize;
        Self {
            width,
            height,
            pitch: width.next_multiple_of(PADDING),
            tile_side: side,
            slots: config.timing.issue.width,
            lanes: config.lanes,
            pixels: vec![PixelHeat::default(); count(1)],
            quads: vec![QuadHeat::default(); count(2)],
            tiles: vec![TileHeat::default(); count(side)],
            outside: TileHeat::default(),
            has_tiles: false,
            other: TileHeat::default(),
            vertices: TileHeat::default(),
            seen_cycles: 0,
            warps: config.warps as usize,
            places: vec![NOWHERE; (config.cores * config.warps) as usize],
            marks: Span::default(),
            records: Span::default(),
            order: Vec::new(),
            stages: Vec::new(),
        }
    }

    /// Looks up what the launch that was just started works on.
    fn begin(&mut self, gpu: &Gpu, argument: Address) {
        self.places.fill(NOWHERE);
        self.seen_cycles = 0;
        (self.outside, self.has_tiles) = (TileHeat::default(), false);
        self.marks = Span::named(gpu, "marks");
        self.records = Span::named(gpu, "tiles");
        self.stages = gpu.cores().first().map_or(Vec::new(), |core| core.stages.clone());
        // The first word of the argument block is the grid along x, which is the number of tiles.
        let count = gpu.memory().load(argument, 4).unwrap_or(0);
        let columns = self.width.div_ceil(self.tile_side);
        let word = |offset: u32| gpu.memory().load(Address(self.records.start.wrapping_add(offset)), 4).unwrap_or(0);
        let size = size_of::<Tile>() as u32;
        self.order.clear();
        self.order.extend((0..count.min(self.records.bytes / size)).map(|record| {
            let at = |member: usize| word(record * size + member as u32) / self.tile_side;
            (at(std::mem::offset_of!(Tile, y)) * columns + at(std::mem::offset_of!(Tile, x))) as usize
        }));
    }

    /// The launch has ended. One in which nobody asked for a tile made vertices.
    fn end(&mut self) {
        let outside = self.outside;
        let sum = if self.has_tiles { &mut self.other } else { &mut self.vertices };
        sum.warp_instructions += outside.warp_instructions;
        sum.lane_instructions += outside.lane_instructions;
        sum.cycles += outside.cycles;
    }

    /// The tile that a warp works on, or what belongs to none.
    fn booked(&mut self, place: usize) -> &mut TileHeat {
        let tile = self.places[place].tile;
        tile.and_then(|tile| self.tiles.get_mut(tile)).unwrap_or(&mut self.outside)
    }

    fn place_of(&self, core: CoreId, warp: WarpId) -> usize {
        core.index() * self.warps + warp.index()
    }

    fn executed(&mut self, core: CoreId, warp: WarpId, retired: &Retired) {
        let place = self.place_of(core, warp);
        match retired.effect {
            Effect::Memory if retired.access.local != retired.mask => {
                let lane = retired.mask.lowest().unwrap_or(0);
                let address = retired.access.addresses[lane];
                if let (AccessKind::Load, Some(offset)) = (retired.access.kind, self.records.offset(address)) {
                    let tile = self.order.get((offset / size_of::<Tile>() as u32) as usize).copied();
                    self.has_tiles = true;
                    self.places[place].tile = tile.or(self.places[place].tile);
                } else if retired.access.kind == AccessKind::Store && self.marks.offset(address).is_some() {
                    self.mark(place, retired);
                }
            }
            Effect::Texture => self.sample(place, retired),
            Effect::End => self.places[place] = NOWHERE,
            _ => {}
        }
        let tile = self.booked(place);
        tile.warp_instructions += 1;
        tile.lane_instructions += u64::from(retired.mask.count());
    }

    /// A block is about to be shaded: its live lanes store to their pixels' marks.
    fn mark(&mut self, place: usize, retired: &Retired) {
        let mut live = ThreadMask::EMPTY;
        for lane in retired.mask.lanes() {
            let pixel = self.marks.offset(retired.access.addresses[lane]).unwrap_or(0) / 4;
            let (x, y) = (pixel % self.pitch, pixel / self.pitch);
            // Targets are padded; what lies there is drawn and never shown.
            if x >= self.width || y >= self.height {
                continue;
            }
            let index = y * self.width + x;
            let known = &mut self.pixels[index as usize];
            *known = PixelHeat { fragments: known.fragments + 1, level: None };
            self.places[place].pixels[lane] = index;
            live.insert(lane);
        }
        self.places[place].shading = live;
        for first in (0..self.lanes).step_by(4) {
            let fragments = (live.0 >> first & 15).count_ones();
            if let Some(lane) = live.and(ThreadMask(15 << first)).lowest() {
                let pixel = self.places[place].pixels[lane];
                let (x, y) = (pixel % self.width, pixel / self.width);
                let quad = &mut self.quads[(y / 2 * self.width.div_ceil(2) + x / 2) as usize];
                quad.fragments += fragments;
                quad.helpers += 4 - fragments;
            }
        }
    }

    /// A `tex`: which level its texels lie in.
    fn sample(&mut self, place: usize, retired: &Retired) {
        let Some(stage) = self.stages.get(retired.texels.stage as usize) else { return };
        let Place { shading, pixels, .. } = self.places[place];
        for lane in retired.mask.and(shading).lanes() {
            let taps = 0..usize::from(retired.texels.tap_count);
            let Some(tap) = taps.into_iter().find(|&tap| !retired.texels.border[tap].contains(lane)) else { continue };
            let offset = retired.texels.addresses[tap][lane].wrapping_sub(stage.address);
            // Every layer has the same levels.
            let offset = if stage.layers > 1 { offset % stage.layer_stride.max(1) } else { offset };
            let levels = &stage.mip_offsets[..(stage.levels as usize).clamp(1, stage.mip_offsets.len())];
            let level = levels.iter().rposition(|&start| start <= offset).unwrap_or(0) as u8;
            let known = &mut self.pixels[pixels[lane] as usize].level;
            *known = Some(known.map_or(level, |finest| finest.min(level)));
        }
    }

    /// What was seen.
    pub fn finish(self, kind: Kind) -> HeatMap {
        let at = |index: usize| (index as u32 % self.width, index as u32 / self.width);
        let columns = self.width.div_ceil(self.tile_side);
        let tile_of = |index: usize| {
            let (x, y) = at(index);
            &self.tiles[(y / self.tile_side * columns + x / self.tile_side) as usize]
        };
        let pixels_of_tile = |index: usize| {
            let (x, y) = at(index);
            let side = |from: u32, end: u32| self.tile_side.min(end - from / self.tile_side * self.tile_side);
            side(x, self.width) * side(y, self.height)
        };
        let value = |index: usize| match kind {
            Kind::Overdraw => Some(self.pixels[index].fragments as f32),
            Kind::Mip => self.pixels[index].level.map(f32::from),
            Kind::Quads => {
                let (x, y) = at(index);
                let quad = self.quads[(y / 2 * self.width.div_ceil(2) + x / 2) as usize];
                let lanes = quad.fragments + quad.helpers;
                (lanes > 0).then(|| 100.0 * quad.helpers as f32 / lanes as f32)
            }
            Kind::Divergence => {
                let tile = tile_of(index);
                let lanes = tile.warp_instructions * u64::from(self.lanes);
                (lanes > 0).then(|| (100.0 * (lanes - tile.lane_instructions) as f64 / lanes as f64) as f32)
            }
            Kind::Cycles => {
                let cycles = tile_of(index).cycles as f64 / f64::from(self.slots);
                Some((cycles / f64::from(pixels_of_tile(index))) as f32)
            }
        };
        let tiles = || self.tiles.iter().chain([&self.other, &self.vertices]);
        let totals = Totals {
            warp_instructions: tiles().map(|tile| tile.warp_instructions).sum(),
            lane_instructions: tiles().map(|tile| tile.lane_instructions).sum(),
            vertex_warp_instructions: self.vertices.warp_instructions,
            shaded: kind.needs_marks().then(|| ShadedTotals {
                pixels: self.pixels.iter().filter(|pixel| pixel.fragments > 0).count() as u64,
                fragments: self.pixels.iter().map(|pixel| u64::from(pixel.fragments)).sum(),
                helpers: self.quads.iter().map(|quad| u64::from(quad.helpers)).sum(),
            }),
            slot_cycles: kind.needs_time().then(|| SlotCycles {
                on_tiles: self.tiles.iter().map(|tile| tile.cycles).sum(),
                on_vertices: self.vertices.cycles,
                on_none: self.other.cycles,
            }),
        };
        let values = (0..self.pixels.len()).map(value).collect();
        HeatMap { kind, width: self.width, height: self.height, values, totals }
    }
}

impl Launcher for HeatWatch {
    fn launch(&mut self, gpu: &mut Gpu, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError> {
        gpu.start(program, argument)?;
        self.begin(gpu, argument);
        if gpu.mode() == Mode::Timed {
            while gpu.resume_cycles_observed(u64::MAX, self)? != RunState::Ended {}
        } else {
            gpu.resume_observed(u64::MAX, self)?;
        }
        let report = gpu.report();
        if let Some(timed) = &report.timed {
            // Cores that have ended are not shown any more.
            let slots = u64::from(gpu.config().cores * self.slots);
            self.outside.cycles += (timed.counters.cycles * slots).saturating_sub(self.seen_cycles);
        }
        self.end();
        Ok(report)
    }
}

impl Observer for HeatWatch {
    fn retired(&mut self, core: CoreId, warp: WarpId, retired: &Retired) {
        self.executed(core, warp, retired);
    }
}

impl TimedObserver for HeatWatch {
    fn issued(&mut self, moment: Moment, warp: WarpId, _slot: u32, retired: &Retired) {
        self.executed(moment.core, warp, retired);
        let place = self.place_of(moment.core, warp);
        self.booked(place).cycles += 1;
        self.seen_cycles += 1;
    }

    fn stalled(&mut self, moment: Moment, stall: Stall) {
        let tile = match stall.warp {
            Some((warp, _)) => self.booked(self.place_of(moment.core, warp)),
            None => &mut self.outside,
        };
        tile.cycles += stall.cycles;
        self.seen_cycles += stall.cycles;
    }
}
