//! Relations as plain matrices.

/// `matrix[a][b]`: whether `a` is related to `b`.
pub type Matrix = Vec<Vec<bool>>;

/// The relation of the pairs for which `related` is true.
pub fn matrix(count: usize, related: impl Fn(usize, usize) -> bool) -> Matrix {
    let mut result = vec![vec![false; count]; count];
    for (a, row) in result.iter_mut().enumerate() {
        for (b, cell) in row.iter_mut().enumerate() {
            *cell = related(a, b);
        }
    }
    result
}

/// The transitive closure (Floyd and Warshall).
pub fn closure(mut matrix: Matrix) -> Matrix {
    let count = matrix.len();
    for middle in 0..count {
        let through = matrix[middle].clone();
        for row in &mut matrix {
            if row[middle] {
                for (cell, next) in row.iter_mut().zip(&through) {
                    *cell |= *next;
                }
            }
        }
    }
    matrix
}

/// Whether something is related to itself.
pub fn reflexive(matrix: &Matrix) -> bool {
    (0..matrix.len()).any(|it| matrix[it][it])
}

/// Each order of `items` that does not contradict `fixed`, restricted to the
/// pairs that `related` names; with equal restrictions only once.
pub fn orders(
    items: &[usize],
    fixed: &dyn Fn(usize, usize) -> bool,
    related: &dyn Fn(usize, usize) -> bool,
) -> Vec<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    extend(items, &mut Vec::new(), fixed, related, &mut found);
    found
}

fn extend(
    items: &[usize],
    order: &mut Vec<usize>,
    fixed: &dyn Fn(usize, usize) -> bool,
    related: &dyn Fn(usize, usize) -> bool,
    found: &mut Vec<Vec<(usize, usize)>>,
) {
    if order.len() == items.len() {
        let mut pairs = Vec::new();
        for (at, &from) in order.iter().enumerate() {
            for &to in &order[at + 1..] {
                if related(from, to) {
                    pairs.push((from, to));
                }
            }
        }
        pairs.sort_unstable();
        if !found.contains(&pairs) {
            found.push(pairs);
        }
        return;
    }
    for &next in items {
        let open = |it: &usize| !order.contains(it);
        if open(&next)
            && !items
                .iter()
                .filter(|it| open(it))
                .any(|it| fixed(*it, next))
        {
            order.push(next);
            extend(items, order, fixed, related, found);
            order.pop();
        }
    }
}
