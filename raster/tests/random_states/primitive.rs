//! Topologies, sides, points and lines; viewport, scissor and depth offset of a draw.

use raster::{
    Constants, Cull, DepthOffset, Draw, Dynamic, FrontFace, Indices, PointRule, PointShape, PointState,
    ProvokingVertex, Scissor, State, Topology, Viewport,
};

use crate::chance::Chance;

/// Sets how vertices become primitives.
pub fn choose(chance: &mut Chance, state: State) -> State {
    State {
        // Triangles are half of it: only they have two sides.
        topology: if chance.flag() { Topology::TriangleList } else { chance.pick(&Topology::ALL) },
        cull: chance.pick(&[Cull::None, Cull::None, Cull::None, Cull::Front, Cull::Back, Cull::FrontAndBack]),
        front_face: chance.pick(&[FrontFace::Clockwise, FrontFace::CounterClockwise]),
        primitive_restart: chance.flag(),
        provoking_vertex: chance.pick(&[ProvokingVertex::First, ProvokingVertex::Last]),
        point: PointState {
            rule: chance.pick(&[PointRule::Exact, PointRule::Rounded]),
            shape: chance.pick(&[PointShape::Square, PointShape::Round]),
            sprite: chance.pick(&[None, Some(0), Some(5)]),
        },
        ..state
    }
}

/// The values of a draw.
pub fn dynamic(chance: &mut Chance, constants: Constants) -> Dynamic {
    let viewport = chance.once_in(4).then(|| {
        let (x, y) = (chance.between(-8.0, 8.0), chance.between(-8.0, 8.0));
        Viewport::new(x, y, chance.between(0.0, 30.0), chance.between(0.0, 30.0))
            .with_depth(chance.between(0.0, 1.0), chance.between(0.0, 1.0))
    });
    let scissor = chance.once_in(4).then(|| {
        let mut number = |low: i32, count| low + chance.below(count) as i32;
        Scissor { x: number(-4, 16), y: number(-4, 16), width: number(0, 16), height: number(0, 16) }
    });
    let offset = DepthOffset { factor: chance.between(-2.0, 2.0), units: chance.between(-1000.0, 1000.0) };
    Dynamic {
        viewport,
        scissor,
        depth_offset: if chance.once_in(4) { offset } else { DepthOffset::NONE },
        point_size: chance.between(0.5, 12.0),
        line_width: chance.between(0.5, 5.0),
        constants,
    }
}

/// Gives a draw indices, half of the time.
pub fn order(chance: &mut Chance, mut draw: Draw) -> Draw {
    if chance.flag() {
        return draw;
    }
    let restarts = draw.pipeline.state().primitive_restart;
    let index = |chance: &mut Chance| {
        if restarts && chance.once_in(8) { None } else { Some(chance.below(draw.vertex_count)) }
    };
    let list: Vec<_> = (0..12).map(|_| index(chance)).collect();
    draw.indices = match chance.below(3) {
        0 => Indices::from(list.iter().map(|index| index.map_or(u8::MAX, |index| index as u8)).collect::<Vec<_>>()),
        1 => Indices::from(list.iter().map(|index| index.map_or(u16::MAX, |index| index as u16)).collect::<Vec<_>>()),
        _ => Indices::from(list.iter().map(|index| index.unwrap_or(u32::MAX)).collect::<Vec<_>>()),
    };
    draw
}
