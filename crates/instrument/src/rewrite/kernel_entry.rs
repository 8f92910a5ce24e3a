//! The code at the beginning of a kernel's body.

use std::collections::HashMap;

use super::context::Rewriter;
use super::facts::MacroText;
use super::hooked::Checks;
use super::lowering::Lowered;
use super::names::{bare_name, is_scalar};
use hirace_ir::read_only::{casts_constants_away, only_reads};
use hirace_model::table::variable_key;
use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Function, Layer};

/// The maximum number of parameters with hooks of their own: `max_arguments` in
/// `device/hirace/gpu/state.h`.
const MAX_PARAMETERS: usize = 16;

impl Rewriter<'_> {
    /// Adds code that inspects a kernel's parameters, which show what memory the kernel cannot
    /// write, and on the CPU executor by which names a report can call what it reaches. On the GPU this
    /// happens in the constructor of an object that also clears the shadow of shared memory. Called after the
    /// body has been rewritten.
    pub(crate) fn enter_kernel(
        &mut self,
        function: &Function<'_>,
        body: Node<'_>,
        lowered: Option<&Lowered>,
    ) {
        let Some(block) = body.descendants_of(Kind::CompoundStatement).next() else {
            return;
        };
        let mut listed = self.listed_parameters(function);
        let lowered = lowered.filter(|it| {
            // On a GPU, only reads in the kernel itself have hooks that know parameters.
            let reads = self.sites.has_reads(&body.range()) || self.on_cpu() && it.function.calls();
            self.options.skip.read_only_memory && reads && !self.facts.hidden_pointers
        });
        let shows_read_only = match (lowered, &mut listed) {
            (Some(lowered), Some(listed)) => find_read_only(&lowered.function, listed),
            _ => false,
        };
        let statement = if self.on_cpu() {
            let Some(listed) = listed.filter(|it| it.iter().any(|it| it.may_point)) else {
                return;
            };
            let hook = match shows_read_only {
                true => "enter_kernel",
                false => "name_parameters",
            };
            let names = self.name_parameters(&listed);
            format!(" ::hirace::cpu::{hook}<{names}>({});", arguments(&listed))
        } else {
            let listed =
                listed.filter(|it| shows_read_only && self.read_by_parameters(function, it));
            let arguments = listed.map_or_else(String::new, |it| format!("({})", arguments(&it)));
            format!(" ::hirace::KernelScope hirace_kernel_scope{arguments};")
        };
        self.edits.close(block.start() + 1, statement);
    }

    /// Adds the code by which a kernel with `__cluster_dims__` tells the CPU executor the size of its
    /// clusters: only here are all names that the size may consist of known.
    pub(crate) fn set_cluster_size(&mut self, node: Node<'_>, body: Node<'_>) {
        let mut marks = self.prepass.marks_of(node);
        let found = marks.find(|it| it.qualifiers.has(Qualifiers::CLUSTER));
        let (true, Some(mark)) = (self.on_cpu(), found) else {
            return;
        };
        let written = self.source.get(mark.range.clone()).unwrap_or("");
        let place = mark.range.start;
        let macros = self.facts.macros.get(written);
        let text = match macros.map(Vec::as_slice) {
            None => Some(written),
            Some([only]) => Some(only.body.as_str()),
            Some(_) => None,
        };
        let size = text.and_then(cluster_size).map(str::to_owned);
        let block = body.descendants_of(Kind::CompoundStatement).next();
        match (size, block) {
            (Some(size), Some(block)) => {
                let call = format!(" ::hirace::cpu::cluster_dimensions({size});");
                self.edits.close(block.start() + 1, call);
            }
            _ => self.error(
                place,
                "the size of the clusters is hidden in a macro; write `__cluster_dims__` here",
            ),
        }
    }

    /// Gives reads through parameters that are only read through a hook that knows the parameter. Returns whether
    /// there were any.
    ///
    /// Only the name is compared: a hook with the wrong parameter performs the whole check
    /// (`device/hirace/gpu/read_only.h`). Pointers in device variables are excluded, since the host
    /// does not search those before a launch.
    fn read_by_parameters(&mut self, function: &Function<'_>, listed: &[Listed]) -> bool {
        if self.facts.device_pointers {
            return false;
        }
        let parameters = function.parameters(self.source);
        let ahead_of_packs = parameters.iter().take_while(|it| !it.pack);
        let numbers: HashMap<&str, usize> = ahead_of_packs
            .take(MAX_PARAMETERS)
            .enumerate()
            .filter_map(|(number, it)| Some((self.text(it.declarator.as_ref()?.name?), number)))
            .filter(|(name, _)| {
                let mut all = listed.iter();
                all.any(|it| (it.constant || it.only_read) && it.name == *name)
            })
            .collect();
        let mut any = false;
        for access in &mut self.hooked[self.first_hooked..] {
            let number = numbers.get(access.variable.as_str());
            let is_load = matches!(access.name, "read" | "copy" | "read_argument");
            if let Some(number) = number.filter(|_| is_load) {
                access.checks = Checks::UnlessReadOnly(*number);
                any = true;
            }
        }
        any
    }

    /// The parameters with a name. None if macros or directives may add some.
    pub(super) fn listed_parameters(&self, function: &Function<'_>) -> Option<Vec<Listed>> {
        let list = function.parameter_list()?;
        // Branches of `#if` may have a head each, with other parameters, for one body.
        let head = function.head.start()..function.body?.start();
        let plain = !self.source[head].contains('#') && !list.has_error();
        if self.body.is_some() || !plain {
            return None;
        }
        let mut macros = self.words_within(list.range()).map(|(_, word)| word);
        if !macros.all(|it| self.is_one_word(it)) {
            return None;
        }
        let mut listed = Vec::new();
        for parameter in function.parameters(self.source) {
            let kind = parameter.node.child(Field::Type);
            let is_number =
                kind.is_some_and(|it| is_scalar(self.text(it)) && !self.is_macro(self.text(it)));
            let is_plain = self.is_plain_object(parameter.type_text(self.source));
            let Some(declarator) = parameter.declarator.filter(|it| it.name.is_some()) else {
                // A parameter without a name cannot be used. But the text that looks like its type
                // may be an unknown macro.
                if is_number {
                    continue;
                }
                return None;
            };
            listed.push(Listed {
                name: self.text(declarator.name?).to_owned(),
                constant: parameter.constant,
                pack: parameter.pack,
                is_pointer: is_plain
                    && !parameter.pack
                    && matches!(*declarator.layers, [Layer::Pointer(_)]),
                only_read: false,
                may_point: !is_number || !declarator.layers.is_empty(),
            });
        }
        Some(listed)
    }

    /// Whether to read an object of a type is all that its value does: it is not an array, whose elements are pointers in
    /// many places, nor an object with conversions.
    fn is_plain_object(&self, type_text: &str) -> bool {
        let name = bare_name(type_text);
        let converts = self.facts.functions.contains_key("operator");
        type_text != "void"
            && !self.facts.array_types.contains(name)
            && !(converts && self.facts.classes.contains_key(name))
    }

    /// The names of the parameters for reports, as template arguments: how many, and the key of the first one.
    fn name_parameters(&mut self, listed: &[Listed]) -> String {
        let first = self.variable_count;
        // After a pack, positions are unknown.
        let ahead = listed.iter().take_while(|it| !it.pack);
        for it in ahead {
            let number = self.variable_count;
            self.variable_count += 1;
            self.named(number, it.name.clone());
        }
        let count = self.variable_count - first;
        format!("{count}, 0x{:08x}u", variable_key(self.sites.key(), first))
    }

    /// Whether `word`, if it is a macro, expands to words only, such as a type's name or
    /// `__restrict__`: not to a declarator or a list.
    fn is_one_word(&self, word: &str) -> bool {
        if !self.is_macro(word) {
            return true;
        }
        let given = self.options.defines.value(word);
        let defined = self.facts.macros.get(word).into_iter().flatten();
        let plain = |body: &str| {
            let tokens = lex_inline(body).tokens;
            tokens.iter().all(|it| it.kind == TokenKind::Word)
        };
        let without_parameters = |it: &MacroText| it.parameters.is_none() && plain(&it.body);
        given.is_none_or(plain) && defined.into_iter().all(without_parameters)
    }
}

/// A parameter in the list of a kernel.
pub(super) struct Listed {
    name: String,
    /// It points to constants.
    constant: bool,
    pack: bool,
    /// It is a pointer to objects, as far as its declarator shows.
    is_pointer: bool,
    /// The kernel only reads through it.
    only_read: bool,
    /// It is not a number.
    may_point: bool,
}

/// Notes which parameters a kernel only reads through. Returns whether there may be memory that it only reads.
fn find_read_only(kernel: &hirace_ir::Function, listed: &mut [Listed]) -> bool {
    for it in listed.iter_mut() {
        it.only_read = it.is_pointer && only_reads(kernel, &it.name);
    }
    let is_constant = |name: &str| listed.iter().any(|it| it.constant && it.name == name);
    let reads = listed.iter().any(|it| it.constant || it.only_read);
    reads && !casts_constants_away(kernel, is_constant)
}

/// The parameters as the arguments of a call, as pointers to constants if the kernel only reads through them.
pub(super) fn arguments(listed: &[Listed]) -> String {
    let argument = |it: &Listed| match (it.only_read && !it.constant, it.pack) {
        (true, _) => format!("::hirace::as_constant({})", it.name),
        (false, true) => format!("{}...", it.name),
        (false, false) => it.name.clone(),
    };
    let arguments: Vec<String> = listed.iter().map(argument).collect();
    arguments.join(", ")
}

/// What is between the parentheses of `__cluster_dims__(…)` in `text`.
fn cluster_size(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("__cluster_dims__")?;
    let inner = rest.trim_start().strip_prefix('(')?;
    let mut depth = 0usize;
    let end = inner.find(|c| {
        depth += usize::from(c == '(');
        let closes = c == ')' && depth == 0;
        depth -= usize::from(c == ')' && depth > 0);
        closes
    })?;
    inner.get(..end)
}
