//! A backend between the reference and the device: the linked tile kernel, run by the plain interpreter of the compiler's
//! intermediate form. Where it agrees with the reference and the device does not, the fault is behind it. It draws pictures of
//! one target and one sample a pixel, without passes before them or storage textures, and refuses others.

use gpu_core::isa::ExtensionSet;
use raster::bound::{Bound, BoundBuffer, BoundStage};
use raster::run::{Freshness, Limits, Run, divide};
use raster::target::color_word;
use raster::tile_kernel::{RunKind, TileKernel, Variant};
use raster::tile_shape::TileShape;
use raster::vertex_kernel::{VertexKernel, VertexList};
use raster::vertex_run::{VertexRun, vertices_of, with_vertices};
use raster::{Backend, Draw, Frame, RenderError, Samples, StorageBuffer, Target, Vertex};
use shaders::interface::COLOR_TARGETS;
use shaders::interpret::{Buffer, Launch, Memory, TextureRequest, run as interpret};
use shaders::tile_records as records;
use shaders::translate::{Bounds, Options};

pub struct Interpreted {
    shape: TileShape,
    kernel: TileKernel,
    vertex_kernel: VertexKernel,
}

impl Interpreted {
    pub fn new(lanes: u32, tile_side_log2: u32) -> Self {
        let shape = TileShape::new(lanes, tile_side_log2).expect("these lanes draw");
        Self { shape, kernel: TileKernel::new(), vertex_kernel: VertexKernel::new() }
    }

    /// The same with another kernel.
    pub fn with_kernel(self, kernel: TileKernel) -> Self {
        Self { kernel, ..self }
    }

    /// The same with another vertex kernel.
    pub fn with_vertex_kernel(self, vertex_kernel: VertexKernel) -> Self {
        Self { vertex_kernel, ..self }
    }

    /// A vertex program, linked into the vertex kernel.
    fn run_program(&self, run: &VertexRun) -> Vec<u32> {
        let program = &run.call.program;
        let (_, kernel) =
            self.vertex_kernel.link(program, self.shape.lanes, ExtensionSet::NONE).expect("the shader fits");
        let (count, width) = (run.invocations(), program.result_words());
        // One buffer after the other.
        let (mut data, mut starts) = (Vec::new(), Vec::new());
        for buffer in run.buffers() {
            starts.push(4 * data.len() as u32);
            data.extend(padded(buffer.bytes()));
        }
        let mut memory = Memory::new();
        let stages: Vec<_> = run
            .bound
            .stages
            .iter()
            .map(|stage| {
                let address = memory.allocate(&padded(&stage.image.bytes)).address;
                stage.image.stage(address, stage.sampling()).expect("the test's textures can be sampled")
            })
            .collect();
        let resources: Vec<[u32; 2]> = run
            .bound
            .buffers
            .iter()
            .map(|buffer| match buffer {
                BoundBuffer::Plain(buffer) => {
                    [memory.allocate(&padded(buffer.bytes())).address, buffer.bytes().len() as u32]
                }
                BoundBuffer::Storage(_) | BoundBuffer::Texels(_) => {
                    panic!("vertex programs that write are not for this backend")
                }
            })
            .collect();
        let samplings: Vec<_> = run.bound.stages.iter().map(BoundStage::state).collect();
        let lists = [
            words(&[run.call_record()]),
            words(run.numbers),
            words(&run.attributes(&starts)),
            data,
            words(&resources),
            vec![0xdead_beef; count * width],
            words(&samplings),
        ];
        let buffers = lists.map(|list| memory.allocate(&list));
        let bindings: Vec<_> =
            kernel.bindings.iter().map(|binding| buffers[VertexList::of(binding) as usize]).collect();
        let sampler = |memory: &Memory, request: TextureRequest| {
            let stage = &stages[request.stage as usize];
            request.answer(stage, |address, bytes| fetch(memory, address, bytes))
        };
        let launch = Launch {
            lanes: self.shape.lanes,
            workgroups: [(count as u32).div_ceil(self.shape.lanes), 1, 1],
            bindings: &bindings,
            sampler: Some(&sampler),
            statement_limit: 100_000_000,
        };
        interpret(&kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}"));
        let planes = memory.words(buffers[VertexList::Results as usize]);
        (0..count * width).map(|at| planes[at % width * count + at / width]).collect()
    }
}

fn words<T: bytemuck::NoUninit>(records: &[T]) -> Vec<u32> {
    let words = bytemuck::cast_slice::<T, u8>(records).chunks(4);
    words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// Bytes as words, the last one filled up with zeros.
fn padded(bytes: &[u8]) -> Vec<u32> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    words(&bytes)
}

/// Reads 1, 2 or 4 bytes.
fn fetch(memory: &Memory, address: u32, bytes: u32) -> u32 {
    let word = memory.word(address & !3).expect("texels lie in their buffer");
    (word >> (8 * (address & 3))) & (u32::MAX >> (32 - 8 * bytes))
}

impl Backend for Interpreted {
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError> {
        raster::check::check(frame)?;
        assert!(
            frame.samples == Samples::One && frame.passes.is_empty(),
            "frames of other kinds are not for this backend"
        );
        let (color_format, depth_format) = frame.formats()?;
        let clear_color = color_word(color_format, frame.clear.color);
        let clear_depth = depth_format.words_of(frame.clear.depth, frame.clear.stencil);
        // What the kernel must not leave behind.
        let wrong = 0xdead_beef;
        let mut target = Target::with_format(frame.width, frame.height, depth_format, wrong, [wrong; 2])?;
        let size = (frame.width, frame.height);
        let draws = with_vertices(frame.draws.as_slice().into(), size, |run| Ok(self.run_program(run)))?;
        let draws = &draws[..];
        let bound = (0..).zip(draws).map(|(index, draw)| Bound::of(index, draw)).collect::<Result<Vec<_>, _>>()?;
        let side_log2 = self.shape.tile_side_log2;
        let mut freshness = [clear_color, clear_depth[0], clear_depth[1]].map(|word| {
            let mut freshness = Freshness::default();
            freshness.reset(size, side_log2, word);
            freshness
        });
        for range in divide(draws, &bound, size) {
            let mut memory = Memory::new();
            let mut run = Run::default();
            let limits = Limits { size, shape: self.shape, most_banks: 64 };
            let done = run.prepare(draws, &bound, range.clone(), limits, |draw, slot| {
                let stage = &bound[draw].stages[slot];
                let image = &stage.image;
                let address = memory.allocate(&padded(&image.bytes)).address;
                Ok(image.stage(address, stage.sampling()).expect("the test's textures can be sampled"))
            })?;
            assert_eq!(done, range, "the tests have few textures");
            if run.bins.tiles.is_empty() {
                continue;
            }
            let pipeline = &draws[range.start].pipeline;
            let flags = [records::Tile::FRESH_COLOR, records::Tile::FRESH_DEPTH, records::Tile::FRESH_STENCIL];
            let written = pipeline.state().written_flags();
            for (freshness, flag) in freshness.iter_mut().zip(flags) {
                for tile in &mut run.bins.tiles {
                    tile.flags |= u32::from(freshness.is_fresh(tile)) * flag;
                    if written & flag != 0 {
                        freshness.store(tile);
                    }
                }
            }
            let variant = Variant::of(&draws[range.start], &bound[range.start], size);
            let kind = RunKind::picture(pipeline, self.shape, variant);
            let module = self.kernel.specialise(pipeline, &kind);
            let module = module.expect("the overrides fit");
            let options = Options { bounds: Bounds::Trust, zero_workgroup_memory: false, ..Options::default() };
            let kernel = shaders::link::link(&module, pipeline.module(), &options).expect("the shader fits");

            // What shaders write goes back to its owner after the launch.
            let mut storages: Vec<(&StorageBuffer, Buffer)> = Vec::new();
            let mut resources: Vec<[u32; 2]> = Vec::new();
            for buffer in bound[range].iter().flat_map(|bound| &bound.buffers) {
                resources.push(match buffer {
                    BoundBuffer::Plain(buffer) => {
                        [memory.allocate(&padded(buffer.bytes())).address, buffer.bytes().len() as u32]
                    }
                    BoundBuffer::Storage(buffer) => {
                        let known = storages.iter().find(|(known, _)| known.is_same(buffer)).map(|(_, place)| *place);
                        let place = known.unwrap_or_else(|| {
                            let place = memory.allocate(&padded(&buffer.bytes()));
                            storages.push((buffer, place));
                            place
                        });
                        [place.address, buffer.size() as u32]
                    }
                    BoundBuffer::Texels(_) => panic!("pictures that write storage textures are not for this backend"),
                });
            }
            let pass = records::Pass {
                pitch: target.pitch,
                plane: target.color.len() as u32,
                clear_depth: clear_depth[0],
                clear_stencil: clear_depth[1],
                stencil_plane: target.color.len() as u32,
                clear_color: [clear_color; COLOR_TARGETS],
            };
            let lists: [Vec<u32>; 12] = [
                words(&[pass]),
                words(&run.bins.tiles),
                words(&run.bins.entries),
                words(&run.bins.triangles),
                words(&run.geometry.planes),
                words(&run.draws),
                words(&resources),
                words(&run.samplings),
                std::mem::take(&mut target.color),
                std::mem::take(&mut target.depth),
                // Nothing is marked.
                vec![0],
                raster::srgb::TABLES.clone(),
            ];
            let buffers = lists.map(|list| memory.allocate(&list));
            let bindings: Vec<Buffer> = kernel
                .bindings
                .iter()
                .map(|binding| *buffers.get(binding.binding as usize).unwrap_or(&buffers[0]))
                .collect();
            let banks = run.banks.clone();
            let sampler = |memory: &Memory, request: TextureRequest| {
                let stage = banks[request.stage as usize / 4][request.stage as usize % 4];
                let stage = stage.expect("the shader samples its own stages");
                request.answer(&stage, |address, bytes| fetch(memory, address, bytes))
            };
            let launch = Launch {
                lanes: self.shape.lanes,
                workgroups: [run.bins.tiles.len() as u32, 1, 1],
                bindings: &bindings,
                sampler: Some(&sampler),
                statement_limit: 100_000_000,
            };
            interpret(&kernel, &mut memory, &launch).unwrap_or_else(|error| panic!("{error}"));
            for (buffer, place) in storages {
                buffer.replace(bytemuck::cast_slice(memory.words(place))[..buffer.size()].to_vec());
            }
            target.color = memory.words(buffers[8]).to_vec();
            target.depth = memory.words(buffers[9]).to_vec();
        }
        let (plane, pitch) = (target.color.len(), target.pitch as usize);
        freshness[0].fill(&mut target.color, plane, pitch);
        for (words, freshness) in target.depth.chunks_mut(plane).zip(&freshness[1..]) {
            freshness.fill(words, plane, pitch);
        }
        Ok(target)
    }

    fn vertices(&mut self, draw: &Draw) -> Result<Vec<Vertex>, RenderError> {
        vertices_of(draw, |run| Ok(self.run_program(run)))
    }

    fn name(&self) -> &str {
        "interpreted kernel"
    }
}
