//! The orbit camera: a point looked at, and where on a sphere round it the eye sits.
//!
//! Right-handed, y up. The projection maps depth to 0…1 with z growing away from the eye (WebGPU's clip volume).

use glam::{Mat4, Vec3};

/// Angles in radians, lengths in scene units.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture.
    pub target: Vec3,
    /// Turn round the y axis; 0 looks along −z.
    pub yaw: f32,
    /// Height above the horizon.
    pub pitch: f32,
    /// From the eye to the target.
    pub distance: f32,
    /// Vertical field of view.
    pub field_of_view: f32,
}

/// Radians a pixel of mouse movement turns the camera.
const TURN_PER_PIXEL: f32 = 0.008;
/// Just short of straight up, where the up vector would be lost.
const PITCH_LIMIT: f32 = 1.5;
/// The nearest and farthest eye, in scene units.
const DISTANCE_RANGE: (f32, f32) = (0.2, 200.0);

impl Camera {
    /// Looks at the origin from `distance`, a little from above.
    pub const fn at_distance(distance: f32) -> Self {
        Self { target: Vec3::ZERO, yaw: 0.6, pitch: 0.35, distance, field_of_view: 0.9 }
    }

    /// Frames a box given by its two corners.
    pub fn framing(low: Vec3, high: Vec3) -> Self {
        let radius = (high - low).length() * 0.5;
        let mut camera = Self::at_distance(1.0);
        camera.target = (low + high) * 0.5;
        // The sphere round the box touches the upper and lower edge of the picture.
        let distance = radius / Self::sine(camera.field_of_view * 0.5);
        camera.distance = if distance.is_finite() && distance > 0.0 { distance.clamp(0.01, 1e6) } else { 1.0 };
        camera
    }

    fn sine(angle: f32) -> f32 {
        // A vector turned by glam (libm inside): the same bits on every host.
        (glam::Quat::from_rotation_z(angle) * Vec3::X).y
    }

    /// Turns the camera as the mouse drags the scene by (`dx`, `dy`) pixels.
    pub fn orbit(&mut self, dx: f32, dy: f32) {
        self.yaw -= dx * TURN_PER_PIXEL;
        self.pitch = (self.pitch + dy * TURN_PER_PIXEL).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    }

    /// Moves the target in the plane of the picture, by fractions of its height.
    pub fn pan(&mut self, right: f32, up: f32) {
        let (x, y, _) = self.axes();
        self.target += (x * right + y * up) * self.distance;
    }

    /// Brings the eye nearer (`steps > 0`) or farther.
    pub fn zoom(&mut self, steps: f32) {
        let factor = (1.0 - 0.1 * steps.abs().min(5.0)).max(0.1);
        let scaled = if steps > 0.0 { self.distance * factor } else { self.distance / factor };
        let largest = DISTANCE_RANGE.1.max(self.distance);
        self.distance = scaled.clamp(DISTANCE_RANGE.0.min(self.distance), largest);
    }

    /// Right, up and backward, of length one.
    fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let turn = glam::Quat::from_rotation_y(self.yaw) * glam::Quat::from_rotation_x(-self.pitch);
        (turn * Vec3::X, turn * Vec3::Y, turn * Vec3::Z)
    }

    /// Where the eye is.
    pub fn eye(&self) -> Vec3 {
        self.target + self.axes().2 * self.distance
    }

    /// World to clip space for a picture `aspect` times as wide as high.
    pub fn view_projection(&self, aspect: f32) -> Mat4 {
        let (near, far) = (self.distance * 0.02, self.distance * 40.0 + 100.0);
        let view = glam::camera::rh::view::look_at_mat4(self.eye(), self.target, self.axes().1);
        glam::camera::rh::proj::directx::perspective(self.field_of_view, aspect, near, far) * view
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(camera: &Camera, point: Vec3) -> Vec3 {
        camera.view_projection(1.0).project_point3(point)
    }

    #[test]
    fn the_target_is_the_middle_of_the_picture() {
        let mut camera = Camera::at_distance(4.0);
        camera.orbit(120.0, -40.0);
        camera.pan(0.3, -0.2);
        let middle = project(&camera, camera.target);
        assert!(middle.x.abs() < 1e-4 && middle.y.abs() < 1e-4, "{middle}");
        assert!((0.0..1.0).contains(&middle.z), "{middle}");
        assert!((camera.eye().distance(camera.target) - 4.0).abs() < 1e-4);
    }

    #[test]
    fn dragging_right_turns_the_scene_right() {
        let mut camera = Camera { pitch: 0.0, yaw: 0.0, ..Camera::at_distance(4.0) };
        let near = Vec3::new(0.0, 0.0, 1.0);
        assert!(project(&camera, near).x.abs() < 1e-4);
        camera.orbit(20.0, 0.0);
        assert!(project(&camera, near).x > 0.01, "the near side must follow the mouse");
    }

    #[test]
    fn a_framed_box_lies_inside_the_picture_and_touches_it() {
        let (low, high) = (Vec3::new(-3.0, 1.0, -2.0), Vec3::new(5.0, 2.0, 8.0));
        let camera = Camera::framing(low, high);
        let mut widest = 0.0_f32;
        for corner in 0..8 {
            let pick = |bit: u32, a: f32, b: f32| if (corner >> bit) & 1 == 0 { a } else { b };
            let point = Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z));
            let seen = project(&camera, point);
            assert!(seen.x.abs() <= 1.0 && seen.y.abs() <= 1.0 && (0.0..=1.0).contains(&seen.z), "{seen}");
            widest = widest.max(seen.x.abs()).max(seen.y.abs());
        }
        assert!(widest > 0.4, "the box is lost in the picture: {widest}");
    }

    #[test]
    fn zoom_stays_in_range_and_goes_the_right_way() {
        let mut camera = Camera::at_distance(4.0);
        camera.zoom(1.0);
        assert!(camera.distance < 4.0);
        for _ in 0..1000 {
            camera.zoom(3.0);
        }
        assert_eq!(camera.distance, DISTANCE_RANGE.0);
        for _ in 0..1000 {
            camera.zoom(-3.0);
        }
        assert_eq!(camera.distance, DISTANCE_RANGE.1);
    }
}
