//! Chance that is always the same: numbers and smooth noise from the hash of places. Integers and + − × only: the same bits on
//! every host.

use glam::Vec3;

use crate::patterns::hash;

/// A number from 0 to below 1 for a pair of words.
pub fn chance(x: u32, y: u32) -> f32 {
    (hash(x, y) >> 8) as f32 / (1 << 24) as f32
}

/// A value from 0 to 1 for a grid point of space.
fn lattice(x: i32, y: i32, z: i32) -> f32 {
    chance(hash(x as u32, y as u32), z as u32)
}

/// Smooth noise from 0 to 1, one bump a unit.
pub fn noise(at: Vec3) -> f32 {
    let cell = at.floor();
    let part = at - cell;
    let ease = part * part * (Vec3::splat(3.0) - part * 2.0);
    let (x, y, z) = (cell.x as i32, cell.y as i32, cell.z as i32);
    let along = |y, z| lattice(x, y, z) + (lattice(x + 1, y, z) - lattice(x, y, z)) * ease.x;
    let across = |z| along(y, z) + (along(y + 1, z) - along(y, z)) * ease.y;
    across(z) + (across(z + 1) - across(z)) * ease.z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_smooth_and_passes_through_its_grid_points() {
        assert_eq!(noise(Vec3::new(3.0, -2.0, 5.0)), lattice(3, -2, 5));
        for step in 0..1000 {
            let at = Vec3::new(step as f32 * 0.01 - 5.0, 0.3, 7.7);
            let (here, near) = (noise(at), noise(at + Vec3::X * 0.01));
            assert!((0.0..1.0).contains(&here) && (here - near).abs() < 0.02, "{at}");
        }
    }
}
