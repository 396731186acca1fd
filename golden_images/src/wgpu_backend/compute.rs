//! A compute shader through wgpu: buffers and textures in, workgroups launched, buffers and storage textures out.

use wgpu::util::DeviceExt;

use super::{WgpuBackend, WgpuError};

/// A run of a compute shader's entry point `main`.
#[derive(Clone, Debug)]
pub struct Computation<'a> {
    /// WGSL.
    pub source: &'a str,
    /// Values of its overrides.
    pub overrides: &'a [(&'a str, f64)],
    /// Words of the buffers of group 0, by binding.
    pub buffers: &'a [Vec<u32>],
    /// Textures of group 1, by binding.
    pub textures: Vec<ComputeTexture<'a>>,
    /// Samplers of group 2, by binding.
    pub samplers: Vec<wgpu::SamplerDescriptor<'static>>,
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
}

/// A texture with its texels.
#[derive(Clone, Debug)]
pub struct ComputeTexture<'a> {
    /// How the shader sees it.
    pub view: wgpu::TextureViewDimension,
    /// Of its texels.
    pub format: wgpu::TextureFormat,
    /// Across, down, and layers or slices.
    pub size: [u32; 3],
    /// Texels of each level, layer after layer.
    pub levels: &'a [Vec<u8>],
    /// Whether the shader stores to it; then its first level is read back.
    pub is_stored: bool,
}

impl ComputeTexture<'_> {
    fn descriptor(&self) -> wgpu::TextureDescriptor<'static> {
        let [width, height, depth_or_array_layers] = self.size;
        let stored = wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC;
        wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers },
            mip_level_count: self.levels.len() as u32,
            sample_count: 1,
            dimension: match self.view {
                wgpu::TextureViewDimension::D1 => wgpu::TextureDimension::D1,
                wgpu::TextureViewDimension::D3 => wgpu::TextureDimension::D3,
                _ => wgpu::TextureDimension::D2,
            },
            format: self.format,
            usage: if self.is_stored { stored } else { wgpu::TextureUsages::TEXTURE_BINDING },
            view_formats: &[],
        }
    }

    /// Bytes of a row of the first level, as they are and as a copy wants them.
    fn row_bytes(&self) -> (u32, u32) {
        let texel = self.format.block_copy_size(None).unwrap_or(4);
        let row = self.size[0] * texel;
        (row, row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT))
    }
}

impl WgpuBackend {
    /// Lanes of the driver's subgroups, if shaders may use them and all have as many.
    pub fn subgroup_lanes(&self) -> Option<u32> {
        self.subgroup_lanes
    }

    /// Runs a compute shader and gives the words of every buffer afterwards, then those of every storage texture.
    pub fn compute(&self, run: &Computation<'_>) -> Result<Vec<Vec<u32>>, WgpuError> {
        let failed = |error: &dyn std::fmt::Display| WgpuError::Driver(error.to_string());
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(run.source.into()),
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions { constants: run.overrides, ..Default::default() },
            cache: None,
        });
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(failed(&error));
        }
        let buffer = |words: &Vec<u32>| {
            self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: None,
                contents: bytemuck::cast_slice(words),
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_SRC,
            })
        };
        let buffers: Vec<_> = run.buffers.iter().map(buffer).collect();
        let entries: Vec<_> = (buffers.iter().zip(0..))
            .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let order = wgpu::util::TextureDataOrder::MipMajor;
        let textures: Vec<_> = (run.textures.iter())
            .map(|texture| {
                let texels = texture.levels.concat();
                self.device.create_texture_with_data(&self.queue, &texture.descriptor(), order, &texels)
            })
            .collect();
        let views: Vec<_> = (textures.iter().zip(&run.textures))
            .map(|(made, texture)| {
                let dimension = Some(texture.view);
                made.create_view(&wgpu::TextureViewDescriptor { dimension, ..Default::default() })
            })
            .collect();
        let view_entries: Vec<_> = (views.iter().zip(0..))
            .map(|(view, binding)| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) })
            .collect();
        let samplers: Vec<_> = run.samplers.iter().map(|sampler| self.device.create_sampler(sampler)).collect();
        let sampler_entries: Vec<_> = (samplers.iter().zip(0..))
            .map(|(sampler, binding)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Sampler(sampler),
            })
            .collect();
        // A pipeline has as many groups as its last one says; one that is empty needs nothing.
        let groups = [&entries, &view_entries, &sampler_entries];
        let count = groups.iter().rposition(|entries| !entries.is_empty()).map_or(0, |last| last + 1);
        let groups: Vec<_> = (groups[..count].iter().zip(0..))
            .map(|(entries, group)| {
                self.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &pipeline.get_bind_group_layout(group),
                    entries,
                })
            })
            .collect();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            for (group, index) in groups.iter().zip(0..) {
                pass.set_bind_group(index, group, &[]);
            }
            let [x, y, z] = run.grid;
            pass.dispatch_workgroups(x, y, z);
        }
        let copies: Vec<_> = (buffers.iter())
            .map(|buffer| {
                let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
                    label: None,
                    size: buffer.size(),
                    usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                    mapped_at_creation: false,
                });
                encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
                copy
            })
            .collect();
        let stored: Vec<_> = textures.iter().zip(&run.textures).filter(|(_, texture)| texture.is_stored).collect();
        let texel_copies: Vec<_> =
            stored.iter().map(|(made, texture)| self.copy_texels(&mut encoder, made, texture)).collect();
        self.queue.submit([encoder.finish()]);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(failed(&error));
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        let all = || copies.iter().chain(&texel_copies);
        for copy in all() {
            let sender = sender.clone();
            copy.map_async(wgpu::MapMode::Read, .., move |result| {
                // Nobody listens any more if waiting failed, which is then what is reported.
                let _ = sender.send(result);
            });
        }
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        for _ in all() {
            receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        }
        let mut found: Vec<_> =
            copies.iter().map(|copy| bytemuck::pod_collect_to_vec(&copy.get_mapped_range(..)[..])).collect();
        for (copy, (_, texture)) in texel_copies.iter().zip(&stored) {
            let (row, padded) = texture.row_bytes();
            let bytes = copy.get_mapped_range(..);
            let rows = bytes.chunks(padded as usize).flat_map(|bytes| bytes[..row as usize].to_vec());
            found.push(bytemuck::pod_collect_to_vec(&rows.collect::<Vec<u8>>()));
        }
        Ok(found)
    }

    /// A buffer that will hold the first level of a texture, its rows padded.
    fn copy_texels(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        made: &wgpu::Texture,
        texture: &ComputeTexture<'_>,
    ) -> wgpu::Buffer {
        let (_, padded) = texture.row_bytes();
        let [_, height, depth] = texture.size;
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(padded) * u64::from(height) * u64::from(depth),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded), rows_per_image: Some(height) };
        let to = wgpu::TexelCopyBufferInfo { buffer: &copy, layout };
        encoder.copy_texture_to_buffer(made.as_image_copy(), to, texture.descriptor().size);
        copy
    }
}
