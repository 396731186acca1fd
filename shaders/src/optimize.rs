//! Makes the kernel smaller without changing what it does.
//!
//! Before: `translate`. After: `legalize`, `lower`. Every pass keeps the rules of `ir::verify`.
//!
//! * `simplify`: one walk that knows what each variable holds: values instead of variables, constants instead of
//!   operations, one computation instead of equal ones in dominating blocks, the taken side of a known branch.
//! * `flow`: scopes nobody leaves, loops left at once, branches with nothing in them, statements before a scope's first
//!   leave.
//! * `liveness`, `dead`: values, variables and writes that nobody reads.
//! * `hoist`: what a loop computes again and again.
//!
//! A value made under a mask is reused only where its block is still open, that is under the same mask or less of it
//! (invariant I2).

mod bools;
mod bytes;
mod dead;
pub mod flow;
mod hoist;
mod liveness;
pub mod operands;
mod pairs;
mod rules;
mod simplify;

use crate::ir::Kernel;
use crate::options::CompileOptions;

/// Rounds of simplification; each makes work for the next, and few do anything after the third.
const ROUNDS: usize = 4;

/// All passes.
pub fn run(kernel: &mut Kernel, options: &CompileOptions) {
    let mutation = options.mutation;
    for _ in 0..ROUNDS {
        let before = kernel.body.clone();
        simplify::run(kernel, mutation);
        flow::run(kernel);
        liveness::run(kernel, mutation);
        dead::run(kernel);
        if kernel.body == before {
            break;
        }
    }
    hoist::run(kernel, options);
    simplify::run(kernel, mutation);
    dead::run(kernel);
    pairs::run(kernel, mutation);
}
