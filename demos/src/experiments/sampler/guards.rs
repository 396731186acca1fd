//! What must hold before a ratio is printed.

use crate::experiments::error::ExperimentError;

/// Of 100 pixels, those that bilinear must show otherwise than point under `shift`.
pub const LEAST_DIFFERENT_PERCENT: u64 = 90;

/// Every pixel is what the model says: hardware and software are then the same byte for byte.
pub fn equals_model(what: &str, width: u32, drawn: &[u32], expected: &[u32]) -> Result<(), ExperimentError> {
    if drawn.len() != expected.len() {
        let message = format!("{what} has {} pixels, the model's picture {}", drawn.len(), expected.len());
        return Err(ExperimentError::Guard(message));
    }
    let Some(index) = drawn.iter().zip(expected).position(|(a, b)| a != b) else { return Ok(()) };
    let wrong = drawn.iter().zip(expected).filter(|(a, b)| a != b).count();
    let (x, y) = (index as u32 % width, index as u32 / width);
    Err(ExperimentError::Guard(format!(
        "{what} differs from the model in {wrong} pixels, first at ({x}, {y}): {:#010x} instead of {:#010x}",
        drawn[index], expected[index]
    )))
}

/// The filters are told apart: the share of different pixels.
pub fn filters_differ(point: &[u32], bilinear: &[u32]) -> Result<f64, ExperimentError> {
    let different = point.iter().zip(bilinear).filter(|(a, b)| a != b).count() as u64;
    if different * 100 < LEAST_DIFFERENT_PERCENT * point.len() as u64 {
        return Err(ExperimentError::Guard(format!(
            "bilinear shows {different} of {} pixels otherwise than point under `shift`, {LEAST_DIFFERENT_PERCENT} % is the least; nothing is filtered here",
            point.len()
        )));
    }
    Ok(different as f64 / point.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_pixel_is_enough() {
        equals_model("tex", 2, &[1, 2, 3, 4], &[1, 2, 3, 4]).expect("they are equal");
        let error = equals_model("tex", 2, &[1, 2, 3, 5], &[1, 2, 3, 4]).expect_err("one differs").to_string();
        assert!(error.contains("tex differs from the model in 1 pixels, first at (1, 1)"), "{error}");
        assert!(equals_model("tex", 2, &[1, 2], &[1, 2, 3, 4]).is_err());
    }

    #[test]
    fn nine_pixels_of_ten_must_differ() {
        let point = [0; 10];
        let mut bilinear = [1; 10];
        bilinear[0] = 0;
        assert_eq!(filters_differ(&point, &bilinear).expect("nine differ"), 0.9);
        bilinear[1] = 0;
        assert!(filters_differ(&point, &bilinear).is_err());
    }
}
