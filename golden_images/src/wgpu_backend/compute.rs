//! A compute shader through wgpu: buffers in, workgroups launched, buffers out.

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
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
}

impl WgpuBackend {
    /// Lanes of the driver's subgroups, if shaders may use them and all have as many.
    pub fn subgroup_lanes(&self) -> Option<u32> {
        self.subgroup_lanes
    }

    /// Runs a compute shader and gives the words of every buffer afterwards.
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
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
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
        self.queue.submit([encoder.finish()]);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(failed(&error));
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        for copy in &copies {
            let sender = sender.clone();
            copy.map_async(wgpu::MapMode::Read, .., move |result| {
                // Nobody listens any more if waiting failed, which is then what is reported.
                let _ = sender.send(result);
            });
        }
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        for _ in &copies {
            receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        }
        Ok(copies.iter().map(|copy| bytemuck::pod_collect_to_vec(&copy.get_mapped_range(..)[..])).collect())
    }
}
