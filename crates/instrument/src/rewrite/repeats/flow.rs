//! Determines which accesses a thread has certainly made before, from the structure of a function's
//! body. (An available-expressions analysis.)

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use hirace_syntax::tree::{Field, Kind, Node};

use super::loops::{InitializerEnd, counts};
use super::operands::Operands;
use super::{Access, Found};
use crate::rewrite::context::Rewriter;

/// The locations accessed since the last barrier, and whether by a store.
type Known<'t> = HashMap<&'t str, bool>;

/// The known locations where control continues; none if control does not reach that point.
type Reached<'t> = Option<Known<'t>>;

struct Flow<'r, 't> {
    rewriter: &'r Rewriter<'r>,
    operands: &'t Operands,
    accesses: &'t [Access],
    /// The names in the texts of accesses.
    names: HashMap<&'t str, &'t [String]>,
    /// Indices of the repeated accesses.
    repeated: HashSet<usize>,
    ahead: Vec<(Access, InitializerEnd)>,
}

/// The repeated accesses among `accesses`, which are in order of position. None if `body` contains
/// a statement with unknown control flow.
pub(super) fn repeats(
    rewriter: &Rewriter<'_>,
    operands: &Operands,
    body: Node<'_>,
    accesses: &[Access],
) -> Option<Found> {
    let names = accesses
        .iter()
        .map(|it| (it.text.as_str(), it.operands.as_slice()));
    let mut flow = Flow {
        rewriter,
        operands,
        accesses,
        names: names.collect(),
        repeated: HashSet::new(),
        ahead: Vec::new(),
    };
    flow.statement(body, Some(Known::new()))?;
    let mut found: Vec<usize> = flow.repeated.into_iter().collect();
    found.sort_unstable();
    let repeated = found.into_iter().map(|it| accesses[it].hooked.clone());
    Some(Found {
        repeated: repeated.collect(),
        ahead: flow.ahead,
    })
}

/// The known locations where two paths join.
fn at_join<'t>(one: Reached<'t>, other: Reached<'t>) -> Reached<'t> {
    match (one, other) {
        (Some(one), Some(other)) => Some(in_both(one, other)),
        (one, other) => one.or(other),
    }
}

fn in_both<'t>(one: Known<'t>, other: Known<'t>) -> Known<'t> {
    let common = one.into_iter().filter_map(|(place, stored)| {
        let stored_too = other.get(place)?;
        Some((place, stored && *stored_too))
    });
    common.collect()
}

impl<'t> Flow<'_, 't> {
    /// Follows a statement; none if its control flow is unknown.
    fn statement(&mut self, node: Node<'_>, known: Reached<'t>) -> Option<Reached<'t>> {
        match node.kind() {
            Kind::CompoundStatement => self.block(node, known),
            Kind::ExpressionStatement | Kind::Declaration => {
                Some(known.map(|it| self.expressions(node, it)))
            }
            Kind::ReturnStatement => {
                if let Some(known) = known {
                    self.expressions(node, known);
                }
                Some(None)
            }
            Kind::BreakStatement | Kind::ContinueStatement => Some(None),
            Kind::UsingDeclaration | Kind::StaticAssertDeclaration => Some(known),
            Kind::IfStatement => {
                let (taken, otherwise) = self.condition(node, known);
                let taken = self.statement(node.child(Field::Consequence)?, taken)?;
                let otherwise = match node.child(Field::Alternative) {
                    Some(alternative) => self.statement(alternative, otherwise)?,
                    None => otherwise,
                };
                Some(self.out_of_scope(node, at_join(taken, otherwise)))
            }
            Kind::ElseClause => self.statement(node.first_named()?, known),
            Kind::ForStatement => {
                let known = self.part(node, Field::Initializer, known);
                let entry = self.at_entry(node, known, counts(node, self.rewriter.source));
                let inside = entry.clone().map(|it| self.check_ahead(node, it));
                let (inside, _) = self.condition(node, inside);
                let inside = self.statement(node.child(Field::Body)?, inside)?;
                self.part(node, Field::Update, inside);
                Some(entry)
            }
            Kind::WhileStatement => {
                let entry = self.at_entry(node, known, false);
                let (inside, _) = self.condition(node, entry.clone());
                self.statement(node.child(Field::Body)?, inside)?;
                Some(entry)
            }
            Kind::DoStatement => {
                let entry = self.at_entry(node, known, false);
                let inside = self.statement(node.child(Field::Body)?, entry.clone())?;
                self.part(node, Field::Condition, inside);
                Some(entry)
            }
            Kind::SwitchStatement => self.switch(node, known),
            _ => None,
        }
    }

    fn block(&mut self, node: Node<'_>, known: Reached<'t>) -> Option<Reached<'t>> {
        let mut known = known;
        for child in node.named_children() {
            known = self.statement(child, known)?;
        }
        let Some(mut known) = known else {
            return Some(None);
        };
        // Outside, the same names may mean other objects, and objects end their lives here.
        for it in node.named_children().filter(|it| it.is(Kind::Declaration)) {
            self.forget(&mut known, &self.rewriter.names_changed(it, self.operands));
        }
        if !self.rewriter.ends_quietly(node) {
            known.clear();
        }
        Some(Some(known))
    }

    /// The locations that stay known in all rounds of a loop, or in all branches of a switch: none,
    /// unless the loop terminates regardless of what it reads.
    fn at_entry(&self, node: Node<'_>, known: Reached<'t>, ends: bool) -> Reached<'t> {
        let mut known = known?;
        if !ends || self.rewriter.is_opaque(node, self.operands) {
            known.clear();
        } else {
            self.forget(
                &mut known,
                &self.rewriter.names_changed(node, self.operands),
            );
        }
        Some(known)
    }

    /// Moves checks of reads in a loop's condition to the loop's entry, if the reads are known
    /// then.
    fn check_ahead(&mut self, node: Node<'_>, mut known: Known<'t>) -> Known<'t> {
        let condition = node.child(Field::Condition).filter(|_| {
            counts(node, self.rewriter.source) && !self.rewriter.is_opaque(node, self.operands)
        });
        let (Some(condition), Some(place)) = (condition, self.rewriter.end_of_initializer(node))
        else {
            return known;
        };
        let changed = self.rewriter.names_changed(node, self.operands);
        let conditional = self.conditional_parts(condition);
        for access in self.accesses {
            let range = &access.hooked.range;
            let certain = condition.range().contains(&range.start)
                && !conditional.iter().any(|it| it.contains(&range.start))
                && !access
                    .operands
                    .iter()
                    .any(|it| changed.contains(it.as_str()));
            if certain && access.hooked.name == "read" && !known.contains_key(&*access.text) {
                self.ahead.push((access.clone(), place.clone()));
                known.insert(&access.text, false);
            }
        }
        known
    }

    fn switch(&mut self, node: Node<'_>, known: Reached<'t>) -> Option<Reached<'t>> {
        let known = self.part(node, Field::Condition, known);
        let body = node.child(Field::Body)?;
        if !body.is(Kind::CompoundStatement) {
            return None;
        }
        let entry = self.at_entry(node, known, true);
        let mut end = None;
        for child in body.named_children() {
            if !child.is(Kind::CaseStatement) {
                end = self.statement(child, end)?;
                continue;
            }
            end = entry.clone();
            for part in child.named_children() {
                if part.field() != Field::Value {
                    end = self.statement(part, end)?;
                }
            }
        }
        Some(self.out_of_scope(node, entry))
    }

    /// The known locations after a statement, after which the names that its condition declares may
    /// mean other objects.
    fn out_of_scope(&self, node: Node<'_>, known: Reached<'t>) -> Reached<'t> {
        let mut known = known?;
        if let Some(condition) = node.child(Field::Condition) {
            let names = self.rewriter.names_changed(condition, self.operands);
            self.forget(&mut known, &names);
        }
        Some(known)
    }

    fn part(&mut self, node: Node<'_>, field: Field, known: Reached<'t>) -> Reached<'t> {
        match node.child(field) {
            Some(part) => known.map(|it| self.expressions(part, it)),
            None => known,
        }
    }

    /// The known locations if the condition of a statement holds, and if it does not.
    fn condition(&mut self, node: Node<'_>, known: Reached<'t>) -> (Reached<'t>, Reached<'t>) {
        match (node.child(Field::Condition), known) {
            (Some(condition), Some(known)) => {
                let (holds, fails) = self.decide(condition, known);
                (Some(holds), Some(fails))
            }
            (_, known) => (known.clone(), known),
        }
    }

    /// The known locations if an expression is true, and if it is false.
    fn decide(&mut self, node: Node<'_>, known: Known<'t>) -> (Known<'t>, Known<'t>) {
        let inner = match node.kind() {
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                let mut parts = node.named_children();
                parts.next().filter(|_| parts.next().is_none())
            }
            _ => None,
        };
        if let Some(inner) = inner {
            return self.decide(inner, known);
        }
        let sides = (node.child(Field::Left), node.child(Field::Right));
        let (true, (Some(left), Some(right))) = (self.is_short_circuit(node), sides) else {
            let known = self.expressions(node, known);
            return (known.clone(), known);
        };
        let (holds, fails) = self.decide(left, known);
        if node.operator(self.rewriter.source) == "&&" {
            let (holds, later) = self.decide(right, holds);
            (holds, in_both(fails, later))
        } else {
            let (later, fails) = self.decide(right, fails);
            (in_both(holds, later), fails)
        }
    }

    fn is_short_circuit(&self, node: Node<'_>) -> bool {
        node.is(Kind::BinaryExpression)
            && matches!(node.operator(self.rewriter.source), "&&" | "||")
            && !self.rewriter.is_opaque(node, self.operands)
    }

    /// The known locations after an expression or a simple statement. If the language specifies the
    /// order of its parts, they are handled one by one.
    fn expressions(&mut self, node: Node<'_>, mut known: Known<'t>) -> Known<'t> {
        if self.rewriter.is_opaque(node, self.operands) {
            known.clear();
            return known;
        }
        let child = |field: Field| node.child(field);
        match node.kind() {
            Kind::ParenthesizedExpression
            | Kind::ConditionClause
            | Kind::InitStatement
            | Kind::CommaExpression
            | Kind::ExpressionStatement
            | Kind::ReturnStatement => {
                for part in node.named_children() {
                    known = self.expressions(part, known);
                }
                known
            }
            Kind::BinaryExpression if self.is_short_circuit(node) => {
                let (holds, fails) = self.decide(node, known);
                in_both(holds, fails)
            }
            Kind::ConditionalExpression => {
                let parts = [Field::Condition, Field::Consequence, Field::Alternative].map(child);
                let [Some(condition), Some(one), Some(other)] = parts else {
                    return Known::new();
                };
                let (holds, fails) = self.decide(condition, known);
                in_both(self.expressions(one, holds), self.expressions(other, fails))
            }
            Kind::Declaration => {
                // From here on the names mean new objects.
                self.forget(
                    &mut known,
                    &self.rewriter.names_changed(node, self.operands),
                );
                for part in node.children_in(Field::Declarator) {
                    known = self.expression(part, known);
                }
                if let Some(value) = child(Field::Value) {
                    known = self.expression(value, known);
                }
                self.forget(
                    &mut known,
                    &self.rewriter.names_changed(node, self.operands),
                );
                known
            }
            _ => self.expression(node, known),
        }
    }

    /// An expression whose parts may be evaluated in any order.
    fn expression(&mut self, node: Node<'_>, mut known: Known<'t>) -> Known<'t> {
        let written = self.rewriter.names_changed(node, self.operands);
        let conditional = self.conditional_parts(node);
        let accesses = self.accesses;
        let first = accesses.partition_point(|it| it.hooked.range.start < node.start());
        let own = accesses.iter().enumerate().skip(first);
        let own = own.take_while(|(_, it)| it.hooked.range.start < node.end());
        let own = own.filter(|(_, it)| {
            let changed = it.operands.iter().any(|it| written.contains(it.as_str()));
            it.hooked.range.end <= node.end() && !changed
        });
        let own: Vec<(usize, &'t Access)> = own.collect();
        for (index, access) in &own {
            let before = known.get(access.text.as_str());
            if before.is_some_and(|stored| *stored || !access.stores) {
                self.repeated.insert(*index);
            }
        }
        self.forget(&mut known, &written);
        for (_, access) in own {
            let certain = !conditional
                .iter()
                .any(|it| it.contains(&access.hooked.range.start));
            if certain {
                *known.entry(&access.text).or_default() |= access.stores;
            }
        }
        known
    }

    /// The parts of an expression that are evaluated conditionally.
    fn conditional_parts(&self, node: Node<'_>) -> Vec<Range<usize>> {
        let parts = node.descendants().flat_map(|part| {
            let fields: &[Field] = match part.kind() {
                Kind::ConditionalExpression => &[Field::Consequence, Field::Alternative],
                Kind::BinaryExpression if self.is_short_circuit(part) => &[Field::Right],
                _ => &[],
            };
            fields.iter().filter_map(move |field| part.child(*field))
        });
        parts.map(Node::range).collect()
    }

    /// Forgets the locations whose texts contain one of the names.
    fn forget(&self, known: &mut Known<'t>, names: &HashSet<&str>) {
        known.retain(|place, _| {
            let operands = self.names.get(place).copied().unwrap_or_default();
            !operands.iter().any(|it| names.contains(it.as_str()))
        });
    }
}
