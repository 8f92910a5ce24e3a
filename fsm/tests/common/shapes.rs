//! The grids on which the machine is checked.

use hirace_fsm::check::Shape;

/// The grids on which the machine is checked; together they have all relations between threads.
pub const SHAPES: [(usize, usize, usize); 6] = [
    (2, 2, 2),
    (1, 2, 3),
    (1, 1, 4),
    (2, 1, 3),
    (3, 1, 1),
    (3, 3, 3),
];

/// The grid of a size.
pub fn shape((blocks, warps, threads): (usize, usize, usize)) -> Shape {
    Shape::new(blocks, warps, threads).expect("a valid shape")
}
