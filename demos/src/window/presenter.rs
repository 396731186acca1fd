//! Brings a finished picture to the screen: `pixels` on a real graphics adapter, `softbuffer` otherwise.
//!
//! softbuffer is preferred over a CPU implementation of Vulkan (measured 2.4 times as fast), and taken on any error of
//! pixels, since a window that shows something is what counts.

use std::num::NonZeroU32;
use std::sync::Arc;

use pixels::wgpu::DeviceType;
use pixels::{Pixels, SurfaceTexture};
use winit::window::Window;

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum PresentError {
    /// Neither presenter works.
    #[error("cannot draw into the window: {0}")]
    Softbuffer(String),
    /// The graphics adapter failed.
    #[error("the graphics adapter failed: {0}")]
    Pixels(String),
}

/// One of the two ways to the screen.
pub enum Presenter {
    /// Through a graphics adapter.
    Adapter(Box<Pixels<'static>>),
    /// By the window system's own shared memory.
    Shared(softbuffer::Surface<Arc<Window>, Arc<Window>>),
}

impl Presenter {
    /// Chooses the presenter for a window whose inner size is `width` x `height` pixels, neither zero.
    pub fn new(window: &Arc<Window>, width: u32, height: u32) -> Result<Self, PresentError> {
        if let Some(pixels) = hardware_pixels(window, width, height) {
            return Ok(Self::Adapter(Box::new(pixels)));
        }
        let failed = |cause: softbuffer::SoftBufferError| PresentError::Softbuffer(cause.to_string());
        let context = softbuffer::Context::new(Arc::clone(window)).map_err(failed)?;
        softbuffer::Surface::new(&context, Arc::clone(window)).map(Self::Shared).map_err(failed)
    }

    /// Its name, for the overlay.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Adapter(_) => "pixels",
            Self::Shared(_) => "softbuffer",
        }
    }

    /// Shows a picture: `width * height` words 0xAARRGGBB, rows from the top. An empty picture is not shown.
    pub fn present(&mut self, words: &[u32], width: u32, height: u32) -> Result<(), PresentError> {
        let (Some(wide), Some(high)) = (NonZeroU32::new(width), NonZeroU32::new(height)) else { return Ok(()) };
        match self {
            Self::Adapter(pixels) => {
                let failed = |cause: &dyn std::fmt::Display| PresentError::Pixels(cause.to_string());
                if pixels.frame().len() != words.len() * 4 {
                    pixels.resize_surface(width, height).map_err(|cause| failed(&cause))?;
                    pixels.resize_buffer(width, height).map_err(|cause| failed(&cause))?;
                }
                for (bytes, word) in pixels.frame_mut().chunks_exact_mut(4).zip(words) {
                    bytes.copy_from_slice(&[(word >> 16) as u8, (word >> 8) as u8, *word as u8, 255]);
                }
                pixels.render().map_err(|cause| failed(&cause))
            }
            Self::Shared(surface) => {
                let failed = |cause: softbuffer::SoftBufferError| PresentError::Softbuffer(cause.to_string());
                surface.resize(wide, high).map_err(failed)?;
                let mut buffer = surface.buffer_mut().map_err(failed)?;
                for (out, word) in buffer.iter_mut().zip(words) {
                    *out = word & 0x00ff_ffff;
                }
                buffer.present().map_err(failed)
            }
        }
    }
}

/// pixels, if it starts and found more than a CPU.
fn hardware_pixels(window: &Arc<Window>, width: u32, height: u32) -> Option<Pixels<'static>> {
    let surface = SurfaceTexture::new(width, height, Arc::clone(window));
    let pixels = Pixels::new(width, height, surface).ok()?;
    (pixels.adapter().get_info().device_type != DeviceType::Cpu).then_some(pixels)
}
