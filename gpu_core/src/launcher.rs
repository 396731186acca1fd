//! Who runs a program to its end, for those who launch programs deep inside something else.
//!
//! Before: a caller that wants launches watched, counted or stopped. After: code that launches (compiled kernels, the
//! graphics device) hands each program to the launcher instead of to the machine itself.

use crate::gpu::{Gpu, LaunchError, LaunchReport};
use crate::program::Program;
use crate::units::Address;

/// Runs programs on a machine.
pub trait Launcher {
    /// Starts `program` with `argument` and runs it.
    ///
    /// # Errors
    /// As [`Gpu::launch`], and [`LaunchError::Stopped`] if the launcher did not let it run to its end.
    fn launch(&mut self, gpu: &mut Gpu, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError>;
}

/// Runs each program to its end, unwatched.
#[derive(Copy, Clone, Debug, Default)]
pub struct ToTheEnd;

impl Launcher for ToTheEnd {
    fn launch(&mut self, gpu: &mut Gpu, program: &Program, argument: Address) -> Result<LaunchReport, LaunchError> {
        gpu.launch(program, argument)
    }
}
