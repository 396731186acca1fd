//! The stencil test (OpenGL ES 2.0, `glStencilFuncSeparate`, `glStencilOpSeparate`, `glStencilMaskSeparate`).

use super::*;
use raster::{
    ColorFormat, ColorMask, Compare, DepthFormat, DepthState, PipelineError, StencilFace, StencilOperation,
    StencilState, VertexStage,
};

const FORMATS: [DepthFormat; 2] = [DepthFormat::Depth24Stencil8, DepthFormat::Depth32FloatStencil8];

fn stenciled(stencil: StencilState, depth: DepthState, format: DepthFormat) -> State {
    State { stencil, depth, ..State::FLAT }.on(ColorFormat::Rgba8, format)
}

#[test]
fn a27_a_stencil_value_is_replaced_although_no_color_is_written() {
    for format in FORMATS {
        let mark = stenciled(StencilState::both(StencilFace::REPLACE), DepthState::OFF, format);
        let mark = pipeline(COLOR, mark.masked(ColorMask::NONE));
        let show = pipeline(COLOR, stenciled(StencilState::both(StencilFace::EQUAL), DepthState::OFF, format));
        let one = Constants::DEFAULT.with_stencil_reference(1);
        let draws = [
            with(rectangle([3, 5, 7, 9], 0.5, [0.0; 4], &mark), one),
            with(everywhere(0.5, [0.0, 1.0, 0.0, 1.0], &show), one),
        ];
        drawn(Clear::to([1.0, 0.0, 0.0, 1.0]), &draws, |target| {
            let count = |word| target.shown().filter(|shown| *shown == word).count();
            assert_eq!((count(0xff00_ff00), count(0xffff_0000)), (16, 240), "green and red pixels, {format:?}");
        });
    }
}

/// Fail, depth fail and pass leave 1, 2 and 3 more than 100; the depth test is not asked where the stencil test fails.
#[test]
fn each_outcome_has_its_operation_and_stencil_comes_before_depth() {
    let face = |compare| StencilFace {
        compare,
        fail: StencilOperation::Zero,
        depth_fail: StencilOperation::IncrementClamp,
        pass: StencilOperation::Replace,
        ..StencilFace::OFF
    };
    for format in FORMATS {
        let outcome = |compare, depth: f32, state: DepthState| {
            let pipeline = pipeline(COLOR, stenciled(StencilState::both(face(compare)), state, format));
            let draw = with(everywhere(depth, [1.0; 4], &pipeline), Constants::DEFAULT.with_stencil_reference(7));
            let mut found = None;
            drawn(Clear { depth: 0.5, stencil: 100, ..Clear::BLACK }, &[draw], |target| {
                let values = (target.stencil_at(4, 4), target.depth_at(4, 4) == 0.5, pixel(target, 4, 4)[0]);
                assert_eq!(*found.get_or_insert(values), values);
            });
            // D24 does not hold 0.5 exactly.
            found.map(|(stencil, _, red)| (stencil, red)).expect("there are backends")
        };
        let less = DepthState::LESS_WRITE;
        assert_eq!(outcome(Compare::Never, 0.75, less), (0, 0), "fails both: the stencil test comes first");
        assert_eq!(outcome(Compare::Never, 0.25, less), (0, 0));
        assert_eq!(outcome(Compare::Always, 0.75, less), (101, 0));
        assert_eq!(outcome(Compare::Always, 0.25, less), (7, 255));
        assert_eq!(outcome(Compare::Always, 0.75, DepthState::OFF), (7, 255), "a depth test that is off passes");
        assert_eq!(outcome(Compare::Less, 0.25, less), (7, 255), "reference < stored");
        assert_eq!(outcome(Compare::Greater, 0.25, less), (0, 0), "reference > stored");
    }
}

#[test]
fn stencil_operations_saturate_or_wrap() {
    for format in FORMATS {
        for (operation, (stored, expected)) in StencilOperation::ALL
            .into_iter()
            .flat_map(|operation| [0, 255, 0xa5].map(|stored| (operation, (stored, operation.apply(stored, 7)))))
        {
            let face = StencilFace { pass: operation, ..StencilFace::OFF };
            let pipeline = pipeline(COLOR, stenciled(StencilState::both(face), DepthState::OFF, format));
            let draw = with(everywhere(0.5, [1.0; 4], &pipeline), Constants::DEFAULT.with_stencil_reference(7));
            drawn(Clear { stencil: stored, ..Clear::BLACK }, &[draw], |target| {
                assert_eq!(target.stencil_at(9, 9), expected, "{operation:?} of {stored}, {format:?}");
            });
        }
    }
}

#[test]
fn stencil_masks_and_a_reference_above_255() {
    let face = StencilFace { compare: Compare::Equal, read_mask: 0x0f, write_mask: 0xf0, ..StencilFace::REPLACE };
    let pipeline = pipeline(COLOR, stenciled(StencilState::both(face), DepthState::OFF, DepthFormat::Depth24Stencil8));
    let value = |stored, reference| {
        let draw = with(everywhere(0.5, [1.0; 4], &pipeline), Constants::DEFAULT.with_stencil_reference(reference));
        let mut found = 0;
        drawn(Clear { stencil: stored, ..Clear::BLACK }, &[draw], |target| found = target.stencil_at(0, 0));
        found
    };
    assert_eq!(value(0x7c, 0x3c), 0x3c, "the lower halves are equal, the upper one is written");
    assert_eq!(value(0x7c, 0x3d), 0x7c, "the lower halves differ");
    assert_eq!(value(0x0f, 300), 0xff, "clamped to 255, not cut to 44");
}

/// Shadow volumes: the far sides count up, the near sides down, each by its own face.
#[test]
fn front_and_back_have_their_own_test() {
    let stencil = StencilState { front: StencilFace::COUNT_UP_BEHIND, back: StencilFace::COUNT_DOWN_BEHIND };
    for format in FORMATS {
        let pipeline = pipeline(COLOR, stenciled(stencil, DepthState::LESS, format));
        let front = everywhere(0.75, [1.0; 4], &pipeline);
        // The other way round.
        let mut back = front.clone();
        let VertexStage::Closure(shader) = back.vertex_stage.clone() else { panic!("a closure makes the square") };
        back.vertex_stage =
            VertexStage::Closure(std::sync::Arc::new(move |vertex, instance| shader(5 - vertex, instance)));
        let clear = Clear { depth: 0.5, ..Clear::BLACK };
        let value = |draws: &[Draw]| {
            let mut found = 0;
            drawn(clear, draws, |target| found = target.stencil_at(8, 8));
            found
        };
        let turns = [value(std::slice::from_ref(&front)), value(std::slice::from_ref(&back))];
        assert!(turns == [1, 255] || turns == [255, 1], "one side counts up from 0, the other down: {turns:?}");
        assert_eq!(value(&[front.clone(), front, back]), turns[0]);
    }
}

#[test]
fn a_stencil_test_without_stencil_values_is_refused_by_name() {
    let state = stenciled(StencilState::both(StencilFace::EQUAL), DepthState::OFF, DepthFormat::Depth16);
    let error = Pipeline::new("test.wgsl", COLOR, "main", state).expect_err("D16 has no stencil values");
    let PipelineError::State { cause, .. } = error else { panic!("{error}") };
    assert_eq!(cause.to_string(), "the state uses the stencil, and Depth16 has none");
}
