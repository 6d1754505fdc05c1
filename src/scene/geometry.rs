//! Places in whole units of the drawing, and paths between them.

/// A point of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

/// A box of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Its left side.
    pub x: i32,
    /// Its top.
    pub y: i32,
    /// Its width.
    pub w: i32,
    /// Its height.
    pub h: i32,
}

impl Rect {
    /// The middle of its left side.
    pub const fn left(self) -> Point {
        Point { x: self.x, y: self.y + self.h / 2 }
    }

    /// The middle of its right side.
    pub const fn right(self) -> Point {
        Point { x: self.x + self.w, y: self.y + self.h / 2 }
    }

    /// The middle of its top.
    pub const fn top(self) -> Point {
        Point { x: self.x + self.w / 2, y: self.y }
    }

    /// The middle of its bottom.
    pub const fn bottom(self) -> Point {
        Point { x: self.x + self.w / 2, y: self.y + self.h }
    }
}

/// A part of a whole, in thousandths.
pub type PerMille = u32;

/// How much of `whole` has passed, in thousandths.
pub fn share(passed: u64, whole: u64) -> PerMille {
    (passed.min(whole) * 1000).checked_div(whole).unwrap_or(1000) as PerMille
}

/// Slow at both ends: the smooth step 3t² - 2t³.
pub fn eased(t: PerMille) -> PerMille {
    let t = u64::from(t.min(1000));
    (t * t * (3000 - 2 * t) / 1_000_000) as PerMille
}

/// A cubic Bézier curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// Where it begins.
    pub from: Point,
    /// Its two control points.
    pub control: [Point; 2],
    /// Where it ends.
    pub to: Point,
}

impl Curve {
    /// A line.
    pub const fn straight(from: Point, to: Point) -> Self {
        Curve { from, control: [from, to], to }
    }

    /// Leaves and arrives horizontally.
    pub const fn horizontal(from: Point, to: Point) -> Self {
        Curve::in_lane(from, to, i32::midpoint(from.x, to.x))
    }

    /// Leaves and arrives horizontally, and passes from one height to the other near `x`.
    pub const fn in_lane(from: Point, to: Point, x: i32) -> Self {
        Curve { from, control: [Point { x, y: from.y }, Point { x, y: to.y }], to }
    }

    /// Leaves to the right, runs down along `x`, arrives from above.
    pub const fn around(from: Point, to: Point, x: i32) -> Self {
        Curve { from, control: [Point { x, y: from.y }, Point { x, y: to.y - 40 }], to }
    }

    /// The point at `t` thousandths of the way.
    pub fn at(self, t: PerMille) -> Point {
        let t = i64::from(t.min(1000));
        let u = 1000 - t;
        let weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
        let points = [self.from, self.control[0], self.control[1], self.to];
        let sum = |coordinate: fn(&Point) -> i32| {
            let sum: i64 =
                points.iter().zip(weights).map(|(point, weight)| i64::from(coordinate(point)) * weight).sum();
            (sum / 1_000_000_000) as i32
        };
        Point { x: sum(|point| point.x), y: sum(|point| point.y) }
    }

    /// As the `d` attribute of an SVG path.
    pub fn path(self) -> String {
        let Curve { from, control: [a, b], to } = self;
        format!("M{} {}C{} {} {} {} {} {}", from.x, from.y, a.x, a.y, b.x, b.y, to.x, to.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_begins_and_ends_at_its_ends() {
        let curve = Curve::horizontal(Point { x: 10, y: 20 }, Point { x: 110, y: 220 });
        assert_eq!((curve.at(0), curve.at(1000)), (curve.from, curve.to));
        assert_eq!(curve.at(500), Point { x: 60, y: 120 });
    }

    #[test]
    fn easing_keeps_the_ends_and_the_middle() {
        assert_eq!((eased(0), eased(500), eased(1000), eased(2000)), (0, 500, 1000, 1000));
    }

    #[test]
    fn a_share_of_nothing_is_the_whole() {
        assert_eq!((share(0, 0), share(3, 6), share(9, 6)), (1000, 500, 1000));
    }
}
