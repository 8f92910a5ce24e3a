//! Cycles and paths in relations.

use super::{EventSet, Relation};

impl Relation {
    /// Whether no event reaches itself.
    #[must_use]
    pub fn is_acyclic(&self) -> bool {
        self.on_or_before_cycles().is_empty()
    }

    /// The events from which a cycle can be reached: all that remain after events without
    /// remaining successors have been removed.
    fn on_or_before_cycles(&self) -> EventSet {
        let mut rest = EventSet::all(self.events());
        loop {
            let before = rest;
            // From the last event: in program order, most edges lead to larger numbers.
            for (event, &row) in self.rows.iter().enumerate().rev() {
                if (row & rest).is_empty() {
                    rest.remove(event);
                }
            }
            if rest == before {
                return rest;
            }
        }
    }

    /// The events of a shortest cycle in order; the last one leads to the first one.
    #[must_use]
    pub fn cycle(&self) -> Option<Vec<usize>> {
        self.on_or_before_cycles()
            .iter()
            .filter_map(|event| self.path(event, event))
            .min_by_key(Vec::len)
            .map(|mut path| {
                path.pop();
                path
            })
    }

    /// The events of a shortest path of at least one step, including both ends.
    #[must_use]
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut layers = vec![EventSet::single(from)];
        let mut seen = EventSet::EMPTY;
        loop {
            let last = layers[layers.len() - 1];
            let next = self.image(last) - seen;
            if next.contains(to) {
                break;
            }
            if next.is_empty() {
                return None;
            }
            seen = seen | next;
            layers.push(next);
        }
        let mut path = vec![to];
        for layer in layers.iter().rev() {
            let target = path[path.len() - 1];
            path.push(layer.iter().find(|&event| self.get(event, target))?);
        }
        path.reverse();
        Some(path)
    }
}
