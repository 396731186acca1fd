//! The fragment path: samples, alpha test, stencil, depth and their formats, fog, blending, logic operation, colour mask.

use raster::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, ColorFormat, ColorMask, ColorTarget, Compare, Constants,
    DepthFormat, DepthState, Fog, FogCoordinate, FogMode, FogState, LogicOperation, State, StencilFace,
    StencilOperation, StencilState,
};

use raster::state::MultisampleState;

use crate::chance::Chance;

fn face(chance: &mut Chance) -> StencilFace {
    let mask = |chance: &mut Chance| if chance.flag() { 0xff } else { chance.byte() };
    let operation = |chance: &mut Chance| chance.pick(&StencilOperation::ALL);
    StencilFace {
        compare: chance.pick(&Compare::ALL),
        fail: operation(chance),
        depth_fail: operation(chance),
        pass: operation(chance),
        read_mask: mask(chance),
        write_mask: mask(chance),
    }
}

fn stencil(chance: &mut Chance) -> StencilState {
    match chance.below(4) {
        0 => StencilState::OFF,
        1 => StencilState::both(face(chance)),
        2 => StencilState { front: face(chance), back: StencilFace::OFF },
        _ => StencilState { front: face(chance), back: face(chance) },
    }
}

fn component(chance: &mut Chance) -> BlendComponent {
    BlendComponent {
        source: chance.pick(&BlendFactor::ALL),
        destination: chance.pick(&BlendFactor::ALL),
        operation: chance.pick(&BlendOperation::ALL),
    }
}

fn target(chance: &mut Chance, format: ColorFormat) -> ColorTarget {
    let blend = match chance.below(4) {
        0 => BlendState::REPLACE,
        1 => BlendState::both(component(chance)),
        _ => BlendState { color: component(chance), alpha: component(chance) },
    };
    let mask = ColorMask { red: chance.flag(), green: chance.flag(), blue: chance.flag(), alpha: chance.flag() };
    ColorTarget { format, blend, mask: if chance.flag() { ColorMask::ALL } else { mask } }
}

/// Sets the fragment path of a state.
pub fn choose(chance: &mut Chance, state: State) -> State {
    let depth_format = chance.pick(&DepthFormat::ALL);
    let color_format = chance.pick(&[ColorFormat::Rgba8, ColorFormat::Rgba8, ColorFormat::Rgba8Srgb]);
    State {
        alpha_test: if chance.flag() { Compare::Always } else { chance.pick(&Compare::ALL) },
        stencil: if depth_format.has_stencil() { stencil(chance) } else { StencilState::OFF },
        depth: DepthState { compare: chance.pick(&Compare::ALL), write: chance.flag() },
        depth_format,
        fog: FogState {
            mode: chance.pick(&[FogMode::Off, FogMode::Off, FogMode::Linear, FogMode::Exp, FogMode::Exp2]),
            coordinate: chance.pick(&[FogCoordinate::ViewDepth, FogCoordinate::WindowDepth]),
        },
        multisample: MultisampleState {
            mask: if chance.flag() { u32::MAX } else { chance.below(16) },
            alpha_to_coverage: chance.once_in(4),
        },
        logic: if chance.once_in(4) { Some(chance.pick(&LogicOperation::ALL)) } else { None },
        targets: [0; 8].map(|_| target(chance, color_format)),
        ..state
    }
}

/// The values of a draw.
pub fn constants(chance: &mut Chance) -> Constants {
    let start = chance.between(-1.0, 3.0);
    Constants {
        alpha_reference: chance.unit(),
        stencil_reference: [0; 2].map(|_| if chance.once_in(4) { 1000 } else { chance.byte().into() }),
        blend: [0; 4].map(|_| chance.unit()),
        fog: Fog {
            color: [0; 3].map(|_| chance.unit()),
            start,
            end: if chance.once_in(8) { start } else { chance.between(-1.0, 3.0) },
            density: if chance.once_in(8) { 0.0 } else { chance.between(0.0, 4.0) },
        },
    }
}
