//! Polygons become triangles: fans where they are convex, ears where they are not.
//!
//! Before: `obj_text`, the only format with polygons. Source: G. H. Meisters, "Polygons have ears", American Mathematical
//! Monthly 82(6), 1975. In f64 on the plane that the polygon covers most of: the same triangles on every host.

/// Corners that one file may have looked at: seconds.
pub(super) const MOST_WORK: u64 = 1 << 27;

/// What is known of a polygon.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// A fan from its first corner is right.
    Fan,
    /// It has a corner that turns inward: these triangles, each by its corners, wound as the polygon is.
    Ears(Vec<[usize; 3]>),
    /// It crosses itself, or there was no work left: nothing better than a fan is known.
    Unknown,
}

/// Cuts a polygon of at least three corners; `work` is what the file has left.
pub(super) fn cut(corners: &[[f32; 3]], work: &mut u64) -> Cut {
    let points = flattened(corners);
    let count = points.len();
    if count == 3
        || (0..count).all(|at| turn(points[(at + count - 1) % count], points[at], points[(at + 1) % count]) >= 0.0)
    {
        return Cut::Fan;
    }
    let mut left: Vec<usize> = (0..count).collect();
    let mut triangles = Vec::with_capacity(count - 2);
    while left.len() > 3 {
        // To find an ear takes at most a look at each corner, and so does closing the gap it leaves.
        let Some(rest) = work.checked_sub(left.len() as u64) else { return Cut::Unknown };
        *work = rest;
        let Some(at) = (0..left.len()).find(|&at| is_ear(&points, &left, at, work)) else { return Cut::Unknown };
        triangles.push(neighbours(&left, at));
        left.remove(at);
    }
    triangles.push([left[0], left[1], left[2]]);
    Cut::Ears(triangles)
}

/// The corners on a plane, turning to the left: the axis along which the polygon looks most is left out.
fn flattened(corners: &[[f32; 3]]) -> Vec<[f64; 2]> {
    let wide: Vec<[f64; 3]> = corners.iter().map(|corner| corner.map(f64::from)).collect();
    let pairs = wide.iter().zip(wide.iter().cycle().skip(1));
    // Newell's sum: along the normal, as long as twice the area.
    let normal: [f64; 3] = std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        pairs.clone().map(|(a, b)| (a[next] - b[next]) * (a[last] + b[last])).sum()
    });
    let axis = (0..3).fold(0, |most, axis| if normal[axis].abs() > normal[most].abs() { axis } else { most });
    let (mut x, mut y) = ((axis + 1) % 3, (axis + 2) % 3);
    if normal[axis] < 0.0 {
        std::mem::swap(&mut x, &mut y);
    }
    wide.iter().map(|corner| [corner[x], corner[y]]).collect()
}

/// Twice the area of a triangle: positive if it turns to the left.
fn turn([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// A corner of what is left, with the one before and the one behind it.
fn neighbours(left: &[usize], at: usize) -> [usize; 3] {
    [left[(at + left.len() - 1) % left.len()], left[at], left[(at + 1) % left.len()]]
}

/// Whether a corner can be cut off: it turns to the left (or lies on a straight line), and no other corner lies in the triangle.
fn is_ear(points: &[[f64; 2]], left: &[usize], at: usize, work: &mut u64) -> bool {
    let triangle = neighbours(left, at);
    let [a, b, c] = triangle.map(|corner| points[corner]);
    let area = turn(a, b, c);
    if area <= 0.0 {
        // A corner on the line between its neighbours carries no area; one that turns back on itself is no ear.
        let forward = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
        return area == 0.0 && forward >= 0.0;
    }
    let needed = left.len() as u64;
    if *work < needed {
        return false;
    }
    *work -= needed;
    left.iter().filter(|corner| !triangle.contains(corner)).map(|&corner| points[corner]).all(|point| {
        // A corner that coincides with one of the triangle's touches it, and does not lie in it.
        point == a
            || point == b
            || point == c
            || turn(a, b, point) < 0.0
            || turn(b, c, point) < 0.0
            || turn(c, a, point) < 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_flat(points: &[[f32; 2]]) -> Cut {
        cut(&points.iter().map(|&[x, y]| [x, y, 3.0]).collect::<Vec<_>>(), &mut MOST_WORK.clone())
    }

    /// The triangles have the polygon's area between them, each turning to the left; so they do not overlap.
    #[track_caller]
    fn check_covered(points: &[[f32; 2]], area: f64) {
        let Cut::Ears(triangles) = cut_flat(points) else { panic!("it has a corner that turns inward") };
        assert_eq!(triangles.len(), points.len() - 2);
        let areas = triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|corner| points[corner].map(f64::from));
            turn(a, b, c) / 2.0
        });
        assert!(areas.clone().all(|area| area >= 0.0), "{triangles:?}");
        assert_eq!(areas.sum::<f64>(), area, "{triangles:?}");
    }

    #[test]
    fn convex_polygons_are_fans_whatever_way_they_look() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(cut_flat(&square), Cut::Fan);
        let turned: Vec<[f32; 2]> = square.into_iter().rev().collect();
        assert_eq!(cut_flat(&turned), Cut::Fan);
        // A corner in the middle of a side.
        assert_eq!(cut_flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]), Cut::Fan);
    }

    #[test]
    fn an_arrow_whose_fan_would_leave_it_is_cut_inside() {
        // The fan from the first corner would cover (0, 0) (4, 0) (1, 1), and then take (1, 1) (0, 4) back.
        check_covered(&[[4.0, 0.0], [1.0, 1.0], [0.0, 4.0], [0.0, 0.0]], 4.0);
        check_covered(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]], 4.0);
    }

    #[test]
    fn a_comb_and_a_spiral_are_covered() {
        let comb = [
            [0.0, 0.0],
            [5.0, 0.0],
            [5.0, 3.0],
            [4.0, 3.0],
            [4.0, 1.0],
            [3.0, 1.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ];
        check_covered(&comb, 11.0);
        let spiral = [
            [0.0, 0.0],
            [5.0, 0.0],
            [5.0, 5.0],
            [1.0, 5.0],
            [1.0, 2.0],
            [3.0, 2.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 4.0],
            [4.0, 4.0],
            [4.0, 1.0],
            [0.0, 1.0],
        ];
        check_covered(&spiral, 15.0);
    }

    #[test]
    fn winding_is_kept() {
        let arrow = [[4.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, 0.0f32]];
        let Cut::Ears(triangles) = cut(&arrow, &mut MOST_WORK.clone()) else { panic!("it is an arrow") };
        for triangle in triangles {
            let [a, b, c] = triangle.map(|corner| [f64::from(arrow[corner][0]), f64::from(arrow[corner][1])]);
            assert!(turn(a, b, c) < 0.0, "clockwise, as the arrow: {triangle:?}");
        }
    }

    #[test]
    fn what_crosses_itself_or_costs_too_much_is_not_known() {
        assert_eq!(cut_flat(&[[0.0, 0.0], [3.0, 3.0], [3.0, 0.0], [0.0, 2.0], [-1.0, 1.0]]), Cut::Unknown);
        let arrow = [[4.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 0.0]];
        assert_eq!(cut(&arrow, &mut 3), Cut::Unknown);
    }

    #[test]
    fn corners_on_a_straight_side_cost_work_too() {
        // An arrow of which one side has twenty corners more, which are cut off first: 24 + 23 + … + 5 = 290 looks.
        let side = (0..20).map(|corner| [0.0, 3.5 - corner as f32 * 0.125, 0.0]);
        let arrow: Vec<_> =
            [[0.0, 4.0, 0.0]].into_iter().chain(side).chain([[0.0; 3], [4.0, 0.0, 0.0], [1.0, 1.0, 0.0]]).collect();
        assert_eq!(cut(&arrow, &mut 289), Cut::Unknown);
        assert!(matches!(cut(&arrow, &mut MOST_WORK.clone()), Cut::Ears(triangles) if triangles.len() == 22));
    }
}
