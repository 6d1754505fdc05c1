//! How closely things are drawn, so that a world that can be seen whole is seen whole.

use super::geometry::Point;

/// How closely partitions and members are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// With room around everything.
    Roomy,
    /// With the same words, one close to the other.
    Close,
    /// A partition is a line, a member two; records show no value.
    Dense,
}

/// Measures of a record's tile and of the tape that it lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Width of a tile.
    pub w: i32,
    /// Its height.
    pub h: i32,
    /// From one tile to the next.
    pub pitch: i32,
    /// From the tape's left end to the first tile.
    pub before: i32,
    /// From the tape's top to a tile's.
    pub above: i32,
}

impl Density {
    /// The measures of tiles.
    pub const fn tiles(self) -> Tiles {
        match self {
            Density::Roomy => Tiles { w: 42, h: 40, pitch: 46, before: 10, above: 6 },
            Density::Close => Tiles { w: 42, h: 40, pitch: 46, before: 10, above: 4 },
            Density::Dense => Tiles { w: 40, h: 20, pitch: 43, before: 8, above: 2 },
        }
    }

    /// From the top of a topic's frame to its first tape.
    pub const fn head(self) -> i32 {
        match self {
            Density::Roomy => 60,
            Density::Close => 46,
            Density::Dense => 42,
        }
    }

    /// From the top of a tape to where its frame may end, if it is the last.
    pub const fn foot(self) -> i32 {
        match self {
            Density::Roomy => 130,
            Density::Close => 76,
            Density::Dense => 32,
        }
    }

    /// From one tape to the next, at least.
    pub const fn row(self) -> i32 {
        match self {
            Density::Roomy => 134,
            Density::Close => 90,
            Density::Dense => 40,
        }
    }

    /// Room on the left of a tape, for the partition's name and its lag.
    pub const fn names(self) -> i32 {
        match self {
            Density::Roomy | Density::Close => 64,
            Density::Dense => 110,
        }
    }

    /// Where the partition's name stands, from the upper left corner of its tape.
    pub const fn name(self) -> Point {
        match self {
            Density::Roomy => Point { x: -52, y: 26 },
            Density::Close => Point { x: -52, y: 22 },
            Density::Dense => Point { x: -100, y: 17 },
        }
    }

    /// Height of a member.
    pub const fn member(self) -> i32 {
        match self {
            Density::Roomy => 84,
            Density::Close => 48,
            Density::Dense => 35,
        }
    }

    /// Between members, at least.
    pub const fn between(self) -> i32 {
        match self {
            Density::Roomy | Density::Close => 8,
            Density::Dense => 3,
        }
    }
}

impl Tiles {
    /// Height of the tape around the tiles.
    pub const fn tape(self) -> i32 {
        self.h + 2 * self.above
    }

    /// Width of a tape with room for so many tiles.
    pub const fn width(self, slots: i32) -> i32 {
        slots * self.pitch + 2 * self.before - (self.pitch - self.w)
    }
}
