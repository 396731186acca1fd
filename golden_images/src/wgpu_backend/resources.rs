//! Buffers, textures and samplers of a draw, on the driver's side.

use std::collections::BTreeMap;

use raster::{Draw, MipFilter, Resource, Sampler, Texture, TextureDimension, VertexProgram, VertexStage};
use texture::{Filter, Format, Wrap};
use wgpu::util::DeviceExt;

use super::{WgpuBackend, WgpuError};

/// A resource that a bind group will hold.
enum Bound {
    Buffer(wgpu::Buffer),
    Texture(wgpu::TextureView),
    Sampler(wgpu::Sampler),
}

impl WgpuBackend {
    /// The bind groups of a draw: exactly what its shader uses, as the pipeline's own layout asks.
    pub(super) fn bind_groups(
        &self,
        index: usize,
        draw: &Draw,
        pipeline: &wgpu::RenderPipeline,
    ) -> Result<Vec<(u32, wgpu::BindGroup)>, WgpuError> {
        let program = match &draw.vertex_stage {
            VertexStage::Closure(_) => None,
            VertexStage::Program(call) => Some(&call.program),
        };
        let modules: Vec<_> = program.map(VertexProgram::module).into_iter().chain([draw.pipeline.module()]).collect();
        let uses_storage = |place: (u32, u32)| {
            modules.iter().flat_map(|module| module.naga.global_variables.iter()).any(|(_, variable)| {
                variable.binding.as_ref().is_some_and(|binding| (binding.group, binding.binding) == place)
                    && matches!(variable.space, naga::AddressSpace::Storage { .. })
            })
        };
        let of_vertices = program.into_iter().flat_map(|program| &program.interface().buffers);
        let buffers = draw.pipeline.interface().buffers.iter().chain(of_vertices);
        let buffers = buffers.map(|buffer| (buffer.group, buffer.binding));
        let stages = draw.pipeline.stages().iter().chain(program.into_iter().flat_map(VertexProgram::stages));
        let places = stages.flat_map(|stage| [Some(&stage.texture), stage.sampler.as_ref()]).flatten();
        let places = places.map(|place| (place.group, place.binding));
        let mut bound: BTreeMap<u32, BTreeMap<u32, Bound>> = BTreeMap::new();
        for (group, binding) in buffers.chain(places) {
            let resource =
                draw.bindings.get(group, binding).ok_or(WgpuError::Unbound { draw: index, group, binding })?;
            let made = match resource {
                Resource::Buffer(buffer) => {
                    let usage = if uses_storage((group, binding)) {
                        wgpu::BufferUsages::STORAGE
                    } else {
                        wgpu::BufferUsages::UNIFORM
                    };
                    let contents = buffer.bytes();
                    let descriptor = wgpu::util::BufferInitDescriptor { label: None, contents, usage };
                    Bound::Buffer(self.device.create_buffer_init(&descriptor))
                }
                Resource::Texture(texture) => Bound::Texture(self.texture(index, texture)?),
                Resource::Sampler(sampler) => Bound::Sampler(self.sampler(index, sampler)?),
                Resource::Storage(_) => return Err(WgpuError::NotOffered { draw: index, what: "writable buffers" }),
                Resource::Surface(_) => return Err(WgpuError::NotOffered { draw: index, what: "surfaces" }),
            };
            bound.entry(group).or_default().insert(binding, made);
        }
        let groups = bound.iter().map(|(&group, bindings)| {
            let entries: Vec<_> = bindings
                .iter()
                .map(|(&binding, bound)| wgpu::BindGroupEntry {
                    binding,
                    resource: match bound {
                        Bound::Buffer(buffer) => buffer.as_entire_binding(),
                        Bound::Texture(view) => wgpu::BindingResource::TextureView(view),
                        Bound::Sampler(sampler) => wgpu::BindingResource::Sampler(sampler),
                    },
                })
                .collect();
            let layout = pipeline.get_bind_group_layout(group);
            let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
            (group, self.device.create_bind_group(&descriptor))
        });
        Ok(groups.collect())
    }

    /// All layers and levels of a texture: 8 bits a channel, widened as our sampler does; sRGB stays encoded.
    fn texture(&self, draw: usize, texture: &Texture) -> Result<wgpu::TextureView, WgpuError> {
        let image = texture.image();
        let format = match image.format {
            Format::Rgba8Srgb | Format::A8R8G8B8Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            format if format.is_narrow() => wgpu::TextureFormat::Rgba8Unorm,
            _ => return Err(WgpuError::NotOffered { draw, what: "texels of other than 8 bits a channel" }),
        };
        let mut bytes = Vec::new();
        for layer in 0..image.layers {
            for (level, extent) in image.levels.iter().enumerate() {
                for (x, y) in (0..extent.height).flat_map(|y| (0..extent.width).map(move |x| (x, y))) {
                    let [blue, green, red, alpha] = image.layer_color(layer, level, x, y).to_le_bytes();
                    bytes.extend([red, green, blue, alpha]);
                }
            }
        }
        let (dimension, view) = match texture.dimension() {
            TextureDimension::D1 => (wgpu::TextureDimension::D1, wgpu::TextureViewDimension::D1),
            TextureDimension::D2 => (wgpu::TextureDimension::D2, wgpu::TextureViewDimension::D2),
            TextureDimension::D2Array => (wgpu::TextureDimension::D2, wgpu::TextureViewDimension::D2Array),
            TextureDimension::Cube => (wgpu::TextureDimension::D2, wgpu::TextureViewDimension::Cube),
            TextureDimension::CubeArray => (wgpu::TextureDimension::D2, wgpu::TextureViewDimension::CubeArray),
            TextureDimension::D3 | TextureDimension::D2Multisampled => {
                return Err(WgpuError::NotOffered { draw, what: "volumes and multisampled textures" });
            }
        };
        let descriptor = wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: image.width(), height: image.height(), depth_or_array_layers: image.layers },
            mip_level_count: image.levels.len() as u32,
            sample_count: 1,
            dimension,
            format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        };
        let order = wgpu::util::TextureDataOrder::LayerMajor;
        let made = self.device.create_texture_with_data(&self.queue, &descriptor, order, &bytes);
        Ok(made.create_view(&wgpu::TextureViewDescriptor { dimension: Some(view), ..Default::default() }))
    }

    fn sampler(&self, draw: usize, sampler: &Sampler) -> Result<wgpu::Sampler, WgpuError> {
        let wrap = |wrap| match wrap {
            Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
            Wrap::Repeat => wgpu::AddressMode::Repeat,
            Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
            Wrap::Border => wgpu::AddressMode::ClampToBorder,
        };
        if sampler.lod_bias != 0.0 {
            return Err(WgpuError::Unsupported { draw, what: "bias in a sampler" });
        }
        if sampler.compare.is_some() {
            return Err(WgpuError::NotOffered { draw, what: "comparing samplers" });
        }
        if sampler.max_anisotropy > 1 {
            // WebGPU leaves the filter to the driver, and Mesa's does not blend levels.
            return Err(WgpuError::NotOffered { draw, what: "anisotropic filtering" });
        }
        let filter = |filter| match filter {
            Filter::Point => wgpu::FilterMode::Nearest,
            Filter::Bilinear => wgpu::FilterMode::Linear,
        };
        let border_color = match sampler.border {
            _ if ![sampler.wrap_u, sampler.wrap_v].contains(&Wrap::Border) => None,
            0 => Some(wgpu::SamplerBorderColor::TransparentBlack),
            0xff00_0000 => Some(wgpu::SamplerBorderColor::OpaqueBlack),
            0xffff_ffff => Some(wgpu::SamplerBorderColor::OpaqueWhite),
            _ => return Err(WgpuError::Unsupported { draw, what: "border of any colour" }),
        };
        let has_levels = sampler.mip_filter != MipFilter::None;
        Ok(self.device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wrap(sampler.wrap_u),
            address_mode_v: wrap(sampler.wrap_v),
            mag_filter: filter(sampler.mag_filter.unwrap_or(sampler.filter)),
            min_filter: filter(sampler.filter),
            mipmap_filter: match sampler.mip_filter {
                MipFilter::Linear => wgpu::MipmapFilterMode::Linear,
                MipFilter::None | MipFilter::Nearest => wgpu::MipmapFilterMode::Nearest,
            },
            lod_min_clamp: if has_levels { sampler.lod_min.max(0.0) } else { 0.0 },
            lod_max_clamp: if has_levels { sampler.lod_max } else { 0.0 },
            border_color,
            ..Default::default()
        }))
    }
}
