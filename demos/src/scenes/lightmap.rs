//! A room whose light was worked out once: three textures a pixel, of which two are what two lamps give each place, soft
//! shadows included.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4};
use raster::{Bindings, Buffer, Clear, Frame, Pipeline, Sampler, State, Texture};
use texture::{Format, Image, ImageError, Wrap};

use crate::camera::Camera;
use crate::patterns::Pattern;
use crate::scenes::surface::{Surface, SurfaceError};
use crate::scenes::{Scene, SceneInfo, View};
use crate::shapes::{Corner, Shape};

/// Its place in the list.
pub const INFO: SceneInfo = SceneInfo {
    name: "lightmap",
    about: "a room whose light and soft shadows come from two light maps: three textures a pixel",
    is_filtered: true,
    make: |texture| Ok(Box::new(Room::new(texture)?)),
};

/// Half the room's sides.
const ROOM: Vec3 = Vec3::new(2.4, 1.5, 2.0);
/// What stands in it: lowest and highest corner.
const BOXES: [(Vec3, Vec3); 4] = [
    (Vec3::new(-1.5, -1.5, -1.3), Vec3::new(-0.95, 1.1, -0.75)),
    (Vec3::new(0.55, -1.5, -0.7), Vec3::new(1.45, -0.6, 0.2)),
    (Vec3::new(0.7, -0.6, -0.55), Vec3::new(1.2, -0.1, -0.05)),
    (Vec3::new(-0.7, -1.5, 0.5), Vec3::new(-0.2, -1.0, 1.0)),
];
/// The lamps: their middle, and half the side of the square they shine from.
const WARM: (Vec3, f32) = (Vec3::new(0.2, 1.25, 0.3), 0.3);
const COOL: (Vec3, f32) = (Vec3::new(-2.2, 0.6, 1.5), 0.25);
/// Points of a lamp along each side of its square.
const SAMPLES: u32 = 4;
/// Texels along each side of a panel's cell, and cells along the light map.
const CELL: u32 = 32;
const CELLS: u32 = 8;

/// `struct Lamps` of `lightmap.wgsl`.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Lamps {
    warm: [f32; 4],
    cool: [f32; 4],
}

/// A rectangle: its upper left corner seen from its lit side, and its two sides.
#[derive(Copy, Clone)]
struct Panel {
    corner: Vec3,
    right: Vec3,
    down: Vec3,
}

impl Panel {
    fn normal(&self) -> Vec3 {
        self.down.cross(self.right).normalize()
    }

    /// The point at (s, t), 0 to 1 each.
    fn at(&self, s: f32, t: f32) -> Vec3 {
        self.corner + self.right * s + self.down * t
    }
}

/// The five sides of a box that show, as they are seen from outside; nobody sees it from below.
fn sides(low: Vec3, high: Vec3) -> [Panel; 5] {
    let size = high - low;
    let (x, y, z) = (Vec3::X * size.x, Vec3::Y * size.y, Vec3::Z * size.z);
    [
        Panel { corner: low + y, right: z, down: -y },      // left
        Panel { corner: high, right: -z, down: -y },        // right
        Panel { corner: low + y + z, right: x, down: -y },  // front
        Panel { corner: low + x + y, right: -x, down: -y }, // back
        Panel { corner: low + y, right: x, down: z },       // top
    ]
}

/// Turns the other side of a panel to the light.
fn turned(panel: Panel) -> Panel {
    Panel { corner: panel.corner + panel.right, right: -panel.right, down: panel.down }
}

/// Whether the way between two points is free.
fn is_free(from: Vec3, to: Vec3) -> bool {
    let way = to - from;
    BOXES.iter().all(|&(low, high)| {
        // The part of the way between each pair of opposite sides (Kay and Kajiya, 1986).
        let (mut first, mut last) = (0.0f32, 1.0f32);
        for axis in 0..3 {
            if way[axis].abs() < 1e-6 {
                if from[axis] < low[axis] || from[axis] > high[axis] {
                    return true;
                }
                continue;
            }
            let (a, b) = ((low[axis] - from[axis]) / way[axis], (high[axis] - from[axis]) / way[axis]);
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        }
        first >= last
    })
}

/// What a lamp gives a point, 0 to about 1.
fn light(point: Vec3, normal: Vec3, (middle, half): (Vec3, f32)) -> f32 {
    let mut sum = 0.0;
    for index in 0..SAMPLES * SAMPLES {
        let part = |index: u32| ((index as f32 + 0.5) / SAMPLES as f32 * 2.0 - 1.0) * half;
        let lamp = middle + Vec3::new(part(index % SAMPLES), 0.0, part(index / SAMPLES));
        let way = lamp - point;
        let distance = way.length();
        let facing = normal.dot(way / distance).max(0.0);
        if facing > 0.0 && is_free(point + normal * 0.01, lamp) {
            sum += facing / (0.35 + 0.3 * distance * distance);
        }
    }
    // A little comes back from the walls, more near the lamp.
    let back = 0.1 / (1.0 + (middle - point).length());
    (sum / (SAMPLES * SAMPLES) as f32 + back).min(1.0)
}

/// The light map of a lamp: a cell for each panel.
fn bake(panels: &[Panel], lamp: (Vec3, f32)) -> Result<Image, ImageError> {
    let side = CELL * CELLS;
    let mut bytes = vec![0; (side * side * 4) as usize];
    for (cell, panel) in (0u32..).zip(panels) {
        for texel in 0..CELL * CELL {
            let (x, y) = (texel % CELL, texel / CELL);
            // The outermost texels lie on the rims, so that neighbours agree there.
            let place = |texel: u32| texel as f32 / (CELL - 1) as f32;
            let value = (light(panel.at(place(x), place(y)), panel.normal(), lamp) * 255.0 + 0.5) as u8;
            let at = ((cell / CELLS * CELL + y) * side + cell % CELLS * CELL + x) as usize * 4;
            bytes[at..at + 4].copy_from_slice(&[value, value, value, 255]);
        }
    }
    Image::new(Format::Rgba8, side, side, bytes)
}

/// Panels as a mesh: the texture so often on a unit, and where each corner lies in the light map.
fn mesh(panels: &[Panel], first_cell: u32, repeats: f32) -> (Shape, Vec<Vec4>) {
    let (mut shape, mut light_uvs) = (Shape::default(), Vec::new());
    let side = (CELL * CELLS) as f32;
    for (cell, panel) in (first_cell..).zip(panels) {
        let first = shape.corners.len() as u32;
        for (s, t) in [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)] {
            let uv = Vec2::new(s * panel.right.length(), t * panel.down.length()) * repeats;
            shape.corners.push(Corner { position: panel.at(s, t), normal: panel.normal(), uv });
            let corner = Vec2::new((cell % CELLS * CELL) as f32, (cell / CELLS * CELL) as f32);
            let inside = corner + Vec2::splat(0.5) + Vec2::new(s, t) * (CELL - 1) as f32;
            light_uvs.push(Vec4::new(inside.x / side, inside.y / side, 0.0, 0.0));
        }
        shape.indices.extend([first, first + 1, first + 2, first, first + 2, first + 3]);
    }
    (shape, light_uvs)
}

/// A part of the room and its texture.
struct Part {
    surface: Surface,
    texture: Texture,
}

struct Room {
    parts: Vec<Part>,
    warm: Texture,
    cool: Texture,
}

impl Room {
    fn new(texture: Option<&Image>) -> Result<Self, SurfaceError> {
        let room = sides(-ROOM, ROOM).map(turned);
        let floor = Panel {
            corner: Vec3::new(-ROOM.x, -ROOM.y, -ROOM.z),
            right: Vec3::X * 2.0 * ROOM.x,
            down: Vec3::Z * 2.0 * ROOM.z,
        };
        let boxes: Vec<Panel> = BOXES.iter().flat_map(|&(low, high)| sides(low, high)).collect();
        let groups = [
            (vec![floor], Pattern::tiles as fn(u32) -> Pattern, 0.5),
            (room.to_vec(), Pattern::bricks, 0.4),
            (boxes, Pattern::wood, 0.7),
        ];
        let panels: Vec<Panel> = groups.iter().flat_map(|(panels, ..)| panels.clone()).collect();
        assert!(panels.len() <= (CELLS * CELLS) as usize, "each panel has a cell");
        let shader = include_str!("lightmap.wgsl");
        let pipeline = Pipeline::new("lightmap.wgsl", shader, "lightmapped", State::SOLID)?;
        let (mut parts, mut first) = (Vec::new(), 0);
        for (panels, pattern, repeats) in groups {
            let (shape, light_uvs) = mesh(&panels, first, repeats);
            first += panels.len() as u32;
            let surface = Surface::of(&shape, &pipeline)?.with_colors(&light_uvs);
            parts.push(Part { surface, texture: Texture::new(Surface::image_or(texture, || pattern(256))?) });
        }
        Ok(Self { parts, warm: Texture::new(bake(&panels, WARM)?), cool: Texture::new(bake(&panels, COOL)?) })
    }
}

impl Scene for Room {
    fn camera(&self) -> Camera {
        Camera { target: Vec3::new(0.0, -0.15, 0.0), yaw: 0.32, pitch: 0.22, ..Camera::at_distance(5.0) }
    }

    fn frame(&self, view: &View) -> Frame {
        // The warm lamp burns unsteadily, the cool one slowly goes and comes.
        let flicker = 1.0 + 0.06 * Vec2::from_angle(view.time * 9.0).y * Vec2::from_angle(view.time * 2.3).x;
        let slow = 0.7 + 0.3 * Vec2::from_angle(view.time * 0.6).x;
        let lamps = Lamps {
            warm: (Vec3::new(1.45, 1.1, 0.7) * flicker).extend(0.0).to_array(),
            cool: (Vec3::new(0.4, 0.65, 1.15) * slow).extend(0.0).to_array(),
        };
        let even = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, ..Sampler::BILINEAR };
        let lamps = Buffer::from_value(&lamps);
        let draw = |part: &Part| {
            let bindings = Bindings::new()
                .with(0, 0, &lamps)
                .with(0, 1, &part.texture)
                .with(0, 2, view.filter.sampler())
                .with(0, 3, &self.warm)
                .with(0, 4, &self.cool)
                .with(0, 5, even);
            part.surface.draw_with(Mat4::IDENTITY, view.view_projection(), bindings)
        };
        let clear = Clear::to([0.03, 0.03, 0.045, 1.0]);
        Frame::new(view.width, view.height, clear, self.parts.iter().map(draw).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_of_boxes_look_out_and_those_of_the_room_in() {
        for (low, high) in BOXES {
            let middle = (low + high) * 0.5;
            assert!(sides(low, high).iter().all(|panel| panel.normal().dot(panel.at(0.5, 0.5) - middle) > 0.0));
        }
        assert!(sides(-ROOM, ROOM).map(turned).iter().all(|panel| panel.normal().dot(panel.at(0.5, 0.5)) < 0.0));
    }

    #[test]
    fn a_box_throws_a_shadow() {
        let floor = |x: f32, z: f32| light(Vec3::new(x, -1.5, z), Vec3::Y, WARM);
        // Behind the pillar as the lamp sees it, and as far away on the other side.
        assert!(floor(-2.1, -1.65) < 0.5 * floor(2.3, -1.65), "{} {}", floor(-2.1, -1.65), floor(2.3, -1.65));
    }
}
