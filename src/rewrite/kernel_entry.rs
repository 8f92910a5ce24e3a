//! What stands at the beginning of a kernel's body.

use crate::parse::tree::{Field, Kind, Node};
use crate::parse::view::{Function, split_name};

use super::classify::{is_named_cast, named_cast_type};
use super::context::Rewriter;

impl Rewriter<'_> {
    /// On the GPU a kernel starts with an object that clears the shadow of shared memory; on
    /// the CPU with a look at its parameters, which say what memory it cannot write. Called when
    /// the body has been rewritten.
    pub(crate) fn enter_kernel(&mut self, function: &Function<'_>, body: Node<'_>) {
        let block = if body.is(Kind::CompoundStatement) {
            Some(body)
        } else {
            body.descendants().find(|it| it.is(Kind::CompoundStatement))
        };
        let Some(block) = block else { return };
        let statement = if self.on_cpu() {
            let wanted = self.options.skip.read_only_memory && self.sites.has_reads(&body.range());
            match self.parameter_names(function) {
                Some(names) if wanted && !self.casts_constants_away(function, block) => {
                    format!(" ::hirace::cpu::enter_kernel({names});")
                }
                _ => return,
            }
        } else {
            " ::hirace::KernelScope hirace_kernel_scope;".to_owned()
        };
        self.edits.close(block.start() + 1, statement);
    }

    /// Whether a kernel's body makes a pointer to a constant one that can write. Where it does
    /// so out of sight, the executor finds out, but may have left out reads by then.
    fn casts_constants_away(&self, function: &Function<'_>, block: Node<'_>) -> bool {
        let parameters = function.parameters(self.source);
        let constants: Vec<&str> = parameters
            .iter()
            .filter(|it| it.constant)
            .filter_map(|it| it.declarator.as_ref()?.name)
            .map(|it| self.text(it))
            .collect();
        block.descendants().any(|node| {
            let (target, value) = match node.kind() {
                Kind::CastExpression => (node.child(Field::Type), node.child(Field::Value)),
                Kind::CallExpression => {
                    let callee = node.child(Field::Function);
                    let name = callee.map_or(String::new(), |it| split_name(it, self.source).0);
                    if name == "const_cast" {
                        return true;
                    }
                    let target = callee.filter(|_| is_named_cast(&name));
                    (
                        target.and_then(named_cast_type),
                        node.child(Field::Arguments),
                    )
                }
                _ => return false,
            };
            let (Some(target), Some(value)) = (target, value) else {
                return false;
            };
            let target = self.text(target);
            let writes = target.contains(['*', '&']) && !target.contains("const");
            writes
                && value
                    .descendants()
                    .any(|it| it.is(Kind::Identifier) && constants.contains(&self.text(it)))
        })
    }

    /// The parameters as the arguments of a call; nothing where none of them is constant, or
    /// where the preprocessor decides on them.
    fn parameter_names(&self, function: &Function<'_>) -> Option<String> {
        let list = function.parameter_list()?;
        if self.body.is_some() || self.text(list).contains('#') {
            return None;
        }
        let parameters = function.parameters(self.source);
        if !parameters.iter().any(|it| it.constant) {
            return None;
        }
        let mut names = Vec::new();
        for parameter in parameters {
            // Nobody can use one without a name.
            let Some(name) = parameter.declarator.as_ref().and_then(|it| it.name) else {
                continue;
            };
            let pack = if parameter.pack { "..." } else { "" };
            names.push(format!("{}{pack}", self.text(name)));
        }
        Some(names.join(", "))
    }
}
