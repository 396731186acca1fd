//! A sea whose points a vertex shader lifts, and buoys of one mesh that ride on it: all vertices are made on the machine.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3};
use raster::{
    Bindings, Buffer, Clear, Cull, Draw, Frame, Pipeline, State, StepMode, VertexBufferLayout, VertexCall,
    VertexFormat, VertexProgram,
};
use texture::Image;

use crate::camera::Camera;
use crate::noise::chance;
use crate::scenes::surface::SurfaceError;
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::Shape;

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "waves",
    about: "a sea and 40 buoys that ride on it: vertex shaders on the machine, vertex buffers, instances",
    is_filtered: false,
    make: |texture| Ok(Box::new(Waves::new(texture)?)),
};

/// Quads along each side of the sea; half of the side.
const QUADS: u16 = 80;
const HALF: f32 = 7.0;
const BUOYS: u32 = 40;
const SOURCE: &str = include_str!("waves.wgsl");
/// Direction of each wave's way, its length, its height. Long waves run faster.
const SWELL: [([f32; 2], f32, f32); 5] = [
    ([1.0, 0.3], 5.2, 0.26),
    ([0.4, 1.0], 3.1, 0.13),
    ([-0.7, 0.8], 1.9, 0.07),
    ([0.9, -0.6], 1.1, 0.035),
    ([-0.2, -1.0], 0.7, 0.02),
];

/// `struct Sea` of `waves.wgsl`.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Sea {
    view_projection: [[f32; 4]; 4],
    eye: [f32; 3],
    time: f32,
    sun: [f32; 3],
    half: f32,
    waves: [[f32; 4]; 5],
}

/// What the corners of a buoy share with their instance.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Instance {
    at: [f32; 2],
    paint: [u8; 4],
}

struct Waves {
    water: Pipeline,
    grid: VertexCall,
    grid_indices: Vec<u16>,
    buoy: Pipeline,
    buoys: VertexCall,
    buoy_corners: u32,
    buoy_indices: Vec<u32>,
}

impl Waves {
    fn new(_: Option<&Image>) -> Result<Self, SurfaceError> {
        let pipeline = |entry, state| Pipeline::new("waves.wgsl", SOURCE, entry, state);
        let program = |entry, layouts: &[_]| VertexProgram::new("waves.wgsl", SOURCE, entry, layouts);
        let grid =
            program("water_vertex", &[VertexBufferLayout::packed(StepMode::Vertex, &[(0, VertexFormat::Unorm16x2)])])?;
        let buoys = program(
            "buoy_vertex",
            &[
                VertexBufferLayout::packed(
                    StepMode::Vertex,
                    &[(2, VertexFormat::Float32x3), (3, VertexFormat::Snorm8x4)],
                ),
                VertexBufferLayout::packed(
                    StepMode::Instance,
                    &[(0, VertexFormat::Float32x2), (1, VertexFormat::Unorm8x4)],
                ),
            ],
        )?;
        let shape = mesh();
        Ok(Self {
            water: pipeline("water", State { cull: Cull::None, ..State::SOLID })?,
            grid: grid.call().with_buffer(0, &Buffer::from_slice(&grid_places())),
            grid_indices: grid_indices(),
            buoy: pipeline("buoy", State { cull: Cull::None, ..State::SOLID })?,
            buoys: buoys.call().with_buffer(0, &corners(&shape)).with_buffer(1, &Buffer::from_slice(&instances())),
            buoy_corners: shape.corners.len() as u32,
            buoy_indices: shape.indices,
        })
    }
}

impl Scene for Waves {
    fn camera(&self) -> Camera {
        Camera { yaw: 0.5, pitch: 0.3, ..Camera::at_distance(6.5) }
    }

    fn frame(&self, view: &View) -> Frame {
        let waves = SWELL.map(|(way, length, height)| {
            let number = std::f32::consts::TAU / length;
            let along = Vec2::from_array(way).normalize() * number;
            [along.x, along.y, height, 1.6 * number.sqrt()]
        });
        let sea = Sea {
            view_projection: view.view_projection().to_cols_array_2d(),
            eye: view.camera.eye().to_array(),
            time: view.time,
            sun: Vec3::new(-0.5, 0.45, -0.75).normalize().to_array(),
            half: HALF,
            waves,
        };
        let bindings = || Bindings::new().with(0, 0, &Buffer::from_value(&sea));
        let side = u32::from(QUADS) + 1;
        let water = Draw::from_vertices(&self.water, &self.grid, side * side)
            .with_indices(self.grid_indices.as_slice())
            .with_bindings(bindings());
        let buoys = Draw::from_vertices(&self.buoy, &self.buoys, self.buoy_corners)
            .with_indices(self.buoy_indices.as_slice())
            .with_instance_range(0, BUOYS)
            .with_bindings(bindings());
        Frame::new(view.width, view.height, Clear::to([0.72, 0.72, 0.73, 1.0]), vec![water, buoys])
    }
}

/// The grid from 0 to 1 along x and z.
fn grid_places() -> Vec<[u16; 2]> {
    let place = |n: u16| (u32::from(n) * 65535 / u32::from(QUADS)) as u16;
    (0..=QUADS).flat_map(|z| (0..=QUADS).map(move |x| [place(x), place(z)])).collect()
}

fn grid_indices() -> Vec<u16> {
    let side = QUADS + 1;
    let quad = |x: u16, z: u16| {
        let corner = z * side + x;
        [corner, corner + side, corner + 1, corner + 1, corner + side, corner + side + 1]
    };
    (0..QUADS).flat_map(|z| (0..QUADS).flat_map(move |x| quad(x, z))).collect()
}

/// A buoy of height 1: a drum with a cone on it.
fn mesh() -> Shape {
    let scaled = |x: f32, y: f32| Mat4::from_scale(Vec3::new(x, y, x));
    let mut shape = Shape::cone(14, 1.0, 1.0).moved(scaled(0.5, 0.35));
    shape.append(&Shape::cone(14, 1.0, 0.12).moved(Mat4::from_translation(Vec3::Y * 0.35) * scaled(0.5, 0.75)));
    shape
}

/// Position and normal of each corner.
fn corners(shape: &Shape) -> Buffer {
    let bytes = shape.corners.iter().flat_map(|corner| {
        let normal = corner.normal.to_array().map(|x| (x * 127.0).round() as i8 as u8);
        let position = corner.position.to_array().map(f32::to_le_bytes);
        position.into_iter().flatten().chain(normal).chain([0]).collect::<Vec<u8>>()
    });
    Buffer::from_bytes(&bytes.collect::<Vec<u8>>())
}

/// Places all over the sea, in a few paints.
fn instances() -> Vec<Instance> {
    const PAINTS: [[u8; 3]; 4] = [[208, 52, 38], [236, 178, 28], [38, 120, 84], [230, 110, 30]];
    let instance = |number: u32| {
        let at = [1, 2].map(|salt| (chance(number, salt) * 2.0 - 1.0) * HALF * 0.8);
        let [red, green, blue] = PAINTS[number as usize % PAINTS.len()];
        Instance { at, paint: [red, green, blue, (chance(number, 3) * 255.0) as u8] }
    };
    (0..BUOYS).map(instance).collect()
}
