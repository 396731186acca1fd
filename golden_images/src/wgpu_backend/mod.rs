//! A second opinion: a frame drawn by an implementation that shares nothing with ours, through wgpu.
//!
//! Before: a [`Frame`], whose vertices, state and WGSL are taken as they are. After: a [`Picture`] to compare with. With
//! Mesa's CPU driver the result is the same on every run; what it may differ in is said where the pictures are compared.
//! Closures that make vertices run here, on the host, as for our own rasterizers, and a generated vertex shader hands their
//! results on; vertex shaders in WGSL are the driver's.

mod compute;
mod programs;
mod resources;
mod states;
mod vertices;

use raster::{Draw, Frame, Scissor, VertexStage, Viewport};
use wgpu::util::DeviceExt;

pub use self::compute::{Computation, ComputeTexture};
use crate::picture::Picture;

/// What a frame asks for and this backend does not have.
#[derive(Debug, thiserror::Error)]
pub enum WgpuError {
    /// WebGPU has no such state.
    #[error("draw {draw}: WebGPU has no {what}")]
    Unsupported {
        /// Which draw, from 0.
        draw: usize,
        /// The state.
        what: &'static str,
    },
    /// WebGPU has it, but this comparison does not draw with it.
    #[error("draw {draw}: this backend has no {what}")]
    NotOffered {
        /// Which draw, from 0.
        draw: usize,
        /// The state.
        what: &'static str,
    },
    /// A resource is missing or of the wrong kind.
    #[error("draw {draw}: nothing that fits is bound at group {group}, binding {binding}")]
    Unbound {
        /// Which draw, from 0.
        draw: usize,
        /// `@group`.
        group: u32,
        /// `@binding`.
        binding: u32,
    },
    /// Our own rasterizers refuse the frame too.
    #[error("{0}")]
    Frame(String),
    /// The driver could not do it.
    #[error("the driver failed: {0}")]
    Driver(String),
}

/// Draws frames through wgpu.
#[derive(Debug)]
pub struct WgpuBackend {
    device: wgpu::Device,
    queue: wgpu::Queue,
    name: String,
    subgroup_lanes: Option<u32>,
}

impl WgpuBackend {
    /// A driver that computes on the CPU (Mesa's lavapipe), or a sentence that says what was looked for.
    ///
    /// Other adapters are left alone: their rules differ from one to the next.
    pub fn on_the_cpu() -> Result<Self, String> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let names: Vec<_> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
        let adapter = adapters
            .into_iter()
            .find(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu)
            .ok_or_else(|| format!("no Vulkan adapter computes on the CPU (adapters: {names:?})"))?;
        let info = adapter.get_info();
        let wanted = wgpu::Features::ADDRESS_MODE_CLAMP_TO_BORDER
            | wgpu::Features::DEPTH32FLOAT_STENCIL8
            | wgpu::Features::SUBGROUP;
        let descriptor =
            wgpu::DeviceDescriptor { required_features: adapter.features() & wanted, ..Default::default() };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| error.to_string())?;
        let is_fixed = info.subgroup_min_size == info.subgroup_max_size;
        let has_subgroups = device.features().contains(wgpu::Features::SUBGROUP) && is_fixed;
        let subgroup_lanes = has_subgroups.then_some(info.subgroup_max_size);
        Ok(Self { device, queue, subgroup_lanes, name: format!("{} ({})", info.name, info.driver_info) })
    }

    /// The driver's name and version.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Draws a frame.
    pub fn render(&self, frame: &Frame) -> Result<Picture, WgpuError> {
        let (color, depth) = frame.formats().map_err(|error| WgpuError::Frame(error.to_string()))?;
        let (color, depth) = (states::color_format(color), states::depth_format(depth));
        if !frame.passes.is_empty() {
            return Err(WgpuError::NotOffered { draw: 0, what: "passes before the picture" });
        }
        let samples = frame.samples.count();
        let picture = self.target(frame, color, 1);
        let (color, depth) = (self.target(frame, color, samples), self.target(frame, depth, samples));
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let prepared = frame
            .draws
            .iter()
            .enumerate()
            .map(|(index, draw)| self.prepare(index, draw, samples))
            .collect::<Result<Vec<_>, _>>()?;
        let resolved = picture.create_view(&Default::default());
        let (color_view, depth_view) = (color.create_view(&Default::default()), depth.create_view(&Default::default()));
        let [r, g, b, a] = frame.clear.color.map(f64::from);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &color_view,
                    depth_slice: None,
                    resolve_target: (samples > 1).then_some(&resolved),
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &depth_view,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(frame.clear.depth),
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: depth.format().has_stencil_aspect().then_some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(u32::from(frame.clear.stencil)),
                        store: wgpu::StoreOp::Store,
                    }),
                }),
                ..Default::default()
            });
            for (draw, prepared) in frame.draws.iter().zip(&prepared) {
                pass.set_pipeline(&prepared.pipeline);
                let viewport = draw.dynamic.viewport.unwrap_or(Viewport::of_target(frame.width, frame.height));
                let Viewport { x, y, width, height, near, far } = viewport;
                pass.set_viewport(x, y, width, height, near, far);
                let [left, top, right, bottom] = scissor(draw, frame.width, frame.height);
                pass.set_scissor_rect(left, top, right - left, bottom - top);
                let constants = &draw.dynamic.constants;
                let [r, g, b, a] = constants.blend.map(f64::from);
                pass.set_blend_constant(wgpu::Color { r, g, b, a });
                // Ours is clamped, as OpenGL has it; Vulkan takes the low bits.
                pass.set_stencil_reference(constants.stencil_reference[0].min(0xff));
                let draw = prepared;
                for (group, bindings) in &draw.groups {
                    pass.set_bind_group(*group, bindings, &[]);
                }
                for (slot, (buffer, offset)) in (0..).zip(&draw.vertices) {
                    pass.set_vertex_buffer(slot, buffer.slice(u64::from(*offset)..));
                }
                pass.set_index_buffer(draw.indices.slice(..), wgpu::IndexFormat::Uint32);
                for (first_vertex, instances) in &draw.instances {
                    pass.draw_indexed(0..draw.index_count, *first_vertex, instances.clone());
                }
            }
        }
        let drawn = if samples > 1 { &picture } else { &color };
        let picture = self.read_back(encoder, drawn, frame.width, frame.height)?;
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(WgpuError::Driver(error.to_string())),
            None => Ok(picture),
        }
    }

    fn target(&self, frame: &Frame, format: wgpu::TextureFormat, sample_count: u32) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: frame.width, height: frame.height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    fn prepare(&self, index: usize, draw: &Draw, samples: u32) -> Result<PreparedDraw, WgpuError> {
        let inputs = vertices::inputs(draw.pipeline.module());
        let module = |label: &str, source: &str| {
            self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let (vertex_module, vertex_entry, attributes) = match &draw.vertex_stage {
            VertexStage::Closure(_) => {
                let module = module("vertex", &vertices::shader(&inputs));
                (module, "vertex_main", vec![vertices::attributes(&inputs)])
            }
            VertexStage::Program(call) => {
                let shader = call.program.module();
                let entry = shader.entry_point().name.as_str();
                (module(&shader.name, &shader.source), entry, programs::attributes(&call.program))
            }
        };
        let vertex_layouts = match &draw.vertex_stage {
            VertexStage::Closure(_) => vec![wgpu::VertexBufferLayout {
                array_stride: vertices::stride(&inputs),
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes[0],
            }],
            VertexStage::Program(call) => programs::layouts(&call.program, &attributes),
        };
        let fragment = draw.pipeline.module();
        let fragment_module = module(&fragment.name, &fragment.source);
        let pipeline = self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &vertex_module,
                entry_point: Some(vertex_entry),
                compilation_options: Default::default(),
                buffers: &vertex_layouts,
            },
            primitive: states::primitive(&draw.pipeline.state(), index)?,
            depth_stencil: Some(states::depth_stencil(draw, index)?),
            multisample: wgpu::MultisampleState {
                count: samples,
                mask: draw.pipeline.state().multisample.mask.into(),
                alpha_to_coverage_enabled: draw.pipeline.state().multisample.alpha_to_coverage,
            },
            fragment: Some(wgpu::FragmentState {
                module: &fragment_module,
                entry_point: Some(&fragment.entry_point().name),
                compilation_options: Default::default(),
                targets: &[Some(states::color_target(&draw.pipeline.state(), index)?)],
            }),
            multiview_mask: None,
            cache: None,
        });
        let groups = self.bind_groups(index, draw, &pipeline)?;
        let buffer = |contents: &[u8], usage| {
            self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
        };
        let list = states::indices(draw);
        let indices = buffer(bytemuck::cast_slice(&list), wgpu::BufferUsages::INDEX);
        let (vertices, instances) = match &draw.vertex_stage {
            // Instance after instance in one buffer.
            VertexStage::Closure(closure) => {
                let all = buffer(&vertices::data(draw, closure, &inputs), wgpu::BufferUsages::VERTEX);
                let first_vertex = |instance: u32| ((instance * draw.vertex_count) as i32, 0..1);
                (vec![(all, 0)], (0..draw.instance_count).map(first_vertex).collect())
            }
            VertexStage::Program(call) => {
                let given = call.buffers.iter().flatten();
                let given = given.map(|(ours, offset)| (buffer(ours.bytes(), wgpu::BufferUsages::VERTEX), *offset));
                let instances = draw.first_instance..draw.first_instance + draw.instance_count;
                (given.collect(), vec![(draw.first_vertex as i32, instances)])
            }
        };
        Ok(PreparedDraw { pipeline, groups, vertices, indices, index_count: list.len() as u32, instances })
    }

    /// Runs the commands and copies the colours out.
    fn read_back(
        &self,
        mut encoder: wgpu::CommandEncoder,
        color: &wgpu::Texture,
        width: u32,
        height: u32,
    ) -> Result<Picture, WgpuError> {
        let pitch = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(pitch) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            color.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: None },
            },
            color.size(),
        );
        self.queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody listens any more if waiting failed, which is then what is reported.
            let _ = sender.send(result);
        });
        let failed = |error: &dyn std::fmt::Display| WgpuError::Driver(error.to_string());
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        let rows = buffer.get_mapped_range(..);
        let rgba = rows.chunks_exact(pitch as usize).flat_map(|row| &row[..width as usize * 4]).copied().collect();
        Ok(Picture { width, height, rgba })
    }
}

/// A draw with everything on the driver's side.
struct PreparedDraw {
    pipeline: wgpu::RenderPipeline,
    groups: Vec<(u32, wgpu::BindGroup)>,
    /// By slot, with the offset of the first element.
    vertices: Vec<(wgpu::Buffer, u32)>,
    indices: wgpu::Buffer,
    index_count: u32,
    /// Draws that make it: what is added to indices, and the instances.
    instances: Vec<(i32, std::ops::Range<u32>)>,
}

/// Left, top, right and bottom of the pixels a draw may touch.
fn scissor(draw: &Draw, width: u32, height: u32) -> [u32; 4] {
    let Some(Scissor { x, y, width: across, height: down }) = draw.dynamic.scissor else {
        return [0, 0, width, height];
    };
    let within = |place: i64, side: u32| place.clamp(0, i64::from(side)) as u32;
    let (x, y, across, down) = (i64::from(x), i64::from(y), i64::from(across), i64::from(down));
    [within(x, width), within(y, height), within(x + across, width), within(y + down, height)]
}
