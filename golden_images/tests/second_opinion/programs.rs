//! The programs of the compiler's tests, run by the driver: integers must be the same, floats within what WGSL allows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use golden_images::wgpu_backend::{Computation, ComputeTexture};
use table::images::{Sampler, Shape, Texture, Wrap};

#[allow(dead_code)]
#[path = "../../../shaders/tests/programs/table/mod.rs"]
mod table;

/// Programs that the driver's side cannot run or is known to run wrongly, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("pointers", "naga 29 writes no SPIR-V for it: `Expression is not cached`"),
    ("pointer_spaces", "naga 29 writes no SPIR-V for it: `Expression is not cached`"),
    ("zeroed_memory", "naga 29 gives a variable of a loop's body its zero once, before the loop"),
    ("robust_spaces", "WGSL leaves open which element an index beyond the last one names"),
    ("rounding", "WGSL lets an implementation ignore the sign of a zero, and this one does"),
    ("float_parts", "WGSL lets an implementation ignore the sign of a zero, and this one does"),
    ("loop_control", "naga 29 gives a variable of a loop's body its zero once, before the loop"),
    ("partial_elements", "WGSL leaves open which element an index beyond the last one names"),
    ("float_to_integer", "WGSL leaves open which integer a NaN becomes"),
    ("float_limits", "WGSL lets an implementation take subnormal numbers for zero"),
    ("half_floats", "WGSL lets an implementation take subnormal numbers for zero, and leaves infinities open"),
    ("packing_limits", "WGSL leaves open what is packed of a NaN"),
    ("kept_bits", "WGSL leaves open which NaN an operation gives, and the signs of zeros"),
    ("absent_lanes", "WGSL leaves open what comes from a lane that is not there"),
    ("least_and_most", "WGSL leaves open what comes of a NaN, and which zero is the lesser"),
    ("lane_order", "WGSL leaves open in which order lanes meet"),
    ("uniform_matrices", "naga 29 writes no SPIR-V for it: `no entry found for key`"),
    ("whole_arrays", "the driver spells out every copy of an array, and compiles for minutes"),
    ("large_results", "the driver spells out every copy of an array, and compiles for minutes"),
    ("depth_loads", "WebGPU copies no texels into a depth texture"),
    ("comparisons", "WebGPU copies no texels into a depth texture"),
    ("sample_loads", "WebGPU copies no texels into a multisampled texture"),
    ("sample_edges", "WebGPU copies no texels into a multisampled texture"),
    ("texture_edges", "WGSL leaves open what a texel out of range is"),
    ("subgroup_float_order", "WGSL leaves the order of a subgroup's sum open"),
];

#[test]
fn programs_leave_what_plain_rust_computes() {
    let Some(driver) = super::driver() else { return };
    let (mut right, mut wrong) = (0, Vec::new());
    for family in table::FAMILIES {
        // Without subgroups of one size nobody knows what their results should be.
        let Some(lanes) = driver.subgroup_lanes().or((!["subgroups", "joins"].contains(&family.name)).then_some(8))
        else {
            println!("skipped: {} on {}", family.name, driver.name());
            continue;
        };
        for program in family.programs {
            if let Some((_, reason)) = LEFT_OUT.iter().find(|(name, _)| *name == program.name) {
                println!("{}: left out: {reason}", program.name);
                continue;
            }
            let case = program.case(lanes);
            let before: Vec<_> = case.buffers.iter().map(|buffer| buffer.before.clone()).collect();
            // naga knows these builtins, but not the line that WGSL wants for them.
            let source = program.source.replace("enable subgroups;", "");
            let run = Computation {
                source: &source,
                overrides: program.overrides,
                buffers: &before,
                textures: case.textures.iter().map(texture).collect(),
                samplers: case.samplers.iter().map(sampler).collect(),
                grid: case.grid,
            };
            let judged = match catch_unwind(AssertUnwindSafe(|| driver.compute(&run))) {
                Ok(Ok(found)) => case.judge_elsewhere(&found),
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err("the driver's side panicked".to_owned()),
            };
            match judged {
                Ok(()) => right += 1,
                Err(difference) => wrong.push(format!("`{}`: {difference}", program.name)),
            }
        }
    }
    println!("{right} programs leave the same on {}", driver.name());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn texture(texture: &Texture) -> ComputeTexture<'_> {
    use wgpu::TextureViewDimension as View;
    ComputeTexture {
        view: match texture.shape {
            Shape::D1 => View::D1,
            Shape::D2 | Shape::Depth | Shape::Multisampled => View::D2,
            Shape::D2Array | Shape::DepthArray => View::D2Array,
            Shape::Cube => View::Cube,
            Shape::CubeArray => View::CubeArray,
            Shape::D3 => View::D3,
        },
        format: format(texture.format),
        size: texture.size,
        levels: &texture.levels,
        is_stored: texture.after.is_some(),
    }
}

/// The driver's format of a name: its formats are called as WebGPU's are, but for capital letters.
fn format(name: &str) -> wgpu::TextureFormat {
    use wgpu::TextureFormat::*;
    let eights = [R8Uint, Rgba8Unorm, Rgba8Snorm, Rgba8Uint, Rgba8Sint];
    let sixteens = [Rg16Uint, Rg16Sint, Rgba16Sint, Rgba16Float];
    let mut known = eights.into_iter().chain(sixteens).chain([R32Uint, R32Sint, Rg32Sint, R32Float, Rg32Float]);
    known
        .find(|format| format!("{format:?}").to_lowercase() == name)
        .unwrap_or_else(|| panic!("{name} is a format that no program had before"))
}

fn sampler(sampler: &Sampler) -> wgpu::SamplerDescriptor<'static> {
    let wrap = match sampler.wrap {
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
    };
    let filter = if sampler.is_linear { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
    wgpu::SamplerDescriptor {
        address_mode_u: wrap,
        address_mode_v: wrap,
        address_mode_w: wrap,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: if sampler.is_mip_linear {
            wgpu::MipmapFilterMode::Linear
        } else {
            wgpu::MipmapFilterMode::Nearest
        },
        compare: sampler.compares_less_equal.then_some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    }
}
