//! The syntax tree, copied out of tree-sitter into one flat array.
//!
//! This is the only module that names tree-sitter's types. The copy makes parents, siblings and
//! fields cheap to reach and gives kinds an enum.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::masked::Prepass;

mod arena;
mod kinds;
mod node;
mod queries;
mod restore;

use arena::{Data, NONE};
use kinds::{field_named, kind_named};

pub use arena::Tree;
pub use kinds::{Field, Kind};
pub use node::Node;

struct Names {
    language: tree_sitter::Language,
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

fn grammar() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| {
        let language = tree_sitter::Language::from(tree_sitter_cuda::LANGUAGE);
        let kind = |id: usize| {
            let id = u16::try_from(id).unwrap_or(0);
            let named = language.node_kind_is_named(id);
            let name = language.node_kind_for_id(id).unwrap_or("");
            if named { kind_named(name) } else { Kind::Other }
        };
        let kinds = (0..language.node_kind_count()).map(kind).collect();
        let field = |id: usize| {
            let id = u16::try_from(id).unwrap_or(0);
            match language.field_name_for_id(id) {
                // The member in `x.f`.
                Some("field") => Field::Member,
                name => name.map_or(Field::Other, field_named),
            }
        };
        let fields = (0..=language.field_count()).map(field).collect();
        Names {
            language,
            kinds,
            fields,
        }
    })
}

thread_local! {
    static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(tree_sitter::Parser::new());
}

impl Tree {
    /// Parses a file, or a macro's body.
    pub fn of(pass: &Prepass) -> Self {
        let mut tree = Self::parse(&pass.text, 0);
        tree.restore(pass);
        tree
    }

    /// Parses `text`; node offsets start at `base`, the position of `text` in the file (negative if
    /// `text` begins with a frame that is not in the file).
    pub fn parse(text: &[u8], base: i64) -> Self {
        let names = grammar();
        let parsed = PARSER.with_borrow_mut(|parser| {
            parser.set_language(&names.language).ok()?;
            parser.parse(text, None)
        });
        let mut tree = Self {
            nodes: Vec::new(),
            depth: 0,
        };
        match parsed {
            Some(parsed) => {
                tree.copy(&parsed, names, base);
                tree.bind_postfix_first();
            }
            None => tree.nodes.push(Data {
                kind: Kind::Error,
                field: Field::Other,
                named: true,
                error: true,
                start: 0,
                end: 0,
                parent: NONE,
                first: NONE,
                next: NONE,
            }),
        }
        tree
    }

    /// Parses `text`, the part of a file at `start`, inside a frame that makes it complete. Offsets
    /// of nodes inside the part are those in the file.
    pub fn fragment(before: &str, text: &[u8], after: &str, start: usize) -> Self {
        let framed = [before.as_bytes(), text, after.as_bytes()].concat();
        let base = i64::try_from(start).unwrap_or(0) - i64::try_from(before.len()).unwrap_or(0);
        Self::parse(&framed, base)
    }

    fn copy(&mut self, parsed: &tree_sitter::Tree, names: &Names, base: i64) {
        let mut cursor = parsed.walk();
        let mut parents: Vec<u32> = Vec::new();
        let mut last: Vec<u32> = vec![NONE];
        let shift = |at: usize| {
            u32::try_from(i64::try_from(at).unwrap_or(0).saturating_add(base)).unwrap_or(0)
        };
        loop {
            let node = cursor.node();
            let id = u32::try_from(self.nodes.len()).unwrap_or(NONE);
            let kind = if node.is_error() {
                Kind::Error
            } else {
                names
                    .kinds
                    .get(usize::from(node.kind_id()))
                    .copied()
                    .unwrap_or(Kind::Other)
            };
            let field = cursor.field_id().map_or(Field::Other, |id| {
                names
                    .fields
                    .get(usize::from(id.get()))
                    .copied()
                    .unwrap_or(Field::Other)
            });
            self.nodes.push(Data {
                kind,
                field,
                named: node.is_named(),
                error: node.has_error(),
                start: shift(node.start_byte()),
                end: shift(node.end_byte()),
                parent: parents.last().copied().unwrap_or(NONE),
                first: NONE,
                next: NONE,
            });
            if let Some(previous) = last.last_mut() {
                if *previous != NONE {
                    self.nodes[*previous as usize].next = id;
                } else if let Some(parent) = parents.last() {
                    self.nodes[*parent as usize].first = id;
                }
                *previous = id;
            }
            if cursor.goto_first_child() {
                parents.push(id);
                last.push(NONE);
                self.depth = self.depth.max(parents.len());
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                parents.pop();
                last.pop();
            }
        }
    }
}
