//! Compute programs: control flow, memory, types.

use super::*;

#[test]
fn arguments_and_results_travel() {
    assert_eq!(run_function("fn f(x: u32) -> u32 { return x * 3u + 1u; }", 5), [1, 4, 7, 10, 13]);
}
