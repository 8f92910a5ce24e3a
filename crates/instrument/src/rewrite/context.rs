//! The state of rewriting one file.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use hirace_model::{Backend, SiteKind};
use hirace_syntax::SyntaxProblem;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::Node;
use hirace_syntax::view::Returns;

use super::binding::Binding;
use super::edits::{Edits, apply};
use super::facts::{Facts, is_header};
use super::hooked::Hooked;
use super::optout::OptOuts;
use super::role::{Role, Target};
use super::scope::Scopes;
use super::sites::{Sites, fold};
use super::user_macros::{protected, protected_lines};
use super::{Instrumented, Options, Source, arms, device_calls, trailer};

/// The side that a function belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Host,
    Device,
}

/// The enclosing function.
#[derive(Clone, Debug)]
pub(crate) struct Enclosing {
    pub(crate) name: String,
    pub(crate) class: Option<String>,
    pub(crate) side: Side,
    pub(crate) returns: Returns,
    /// The type of the returned object, unless it is a pointer.
    pub(crate) result: Option<String>,
}

/// A function's extent, for passes that work on tokens.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    pub(crate) range: Range<usize>,
    pub(crate) name: String,
    /// Whether it runs on the device.
    pub(crate) on_device: bool,
    /// Whether it runs only there.
    pub(crate) device_only: bool,
}

/// Rewrites one file.
pub(crate) struct Rewriter<'a> {
    pub(crate) path: &'a str,
    pub(crate) source: &'a str,
    pub(crate) prepass: &'a Prepass,
    pub(crate) facts: &'a Facts,
    pub(crate) options: &'a Options<'a>,
    pub(crate) edits: Edits,
    pub(crate) sites: Sites,
    pub(crate) scopes: Scopes,
    pub(crate) enclosing: Enclosing,
    /// The enclosing classes.
    pub(crate) classes: Vec<String>,
    /// The enclosing namespaces; none inside a template.
    pub(crate) namespaces: Vec<String>,
    /// Whether the current node is inside a template.
    pub(crate) in_template: bool,
    pub(crate) extents: Vec<Extent>,
    /// Device variables to register at the end of the file.
    pub(crate) symbols: Vec<(usize, String)>,
    pub(crate) symbol_count: usize,
    pub(crate) variable_count: u32,
    /// Starts of the `__shared__` qualifiers that were handled.
    pub(crate) shared_seen: HashSet<usize>,
    /// Shared variables, by function and name.
    pub(crate) shared_names: HashSet<(String, String)>,
    /// The file-scope shared variables that the file has declared so far.
    pub(crate) file_shared: HashSet<String>,
    pub(crate) range_count: u32,
    /// Text at namespace scope that could not be parsed and is listed.
    pub(crate) unread: Vec<Range<usize>>,
    /// What the value of the current expression goes to; roles such as `Initializer` need it.
    pub(crate) target: Target,
    /// Parameters of the macro whose launches are being rewritten.
    pub(crate) macro_parameters: Vec<String>,
    /// The ends of the file's lines; computed on first use.
    pub(crate) line_ends: OnceCell<Vec<usize>>,
    /// Objects declared in host code so far, which device lambdas may capture.
    pub(crate) host_objects: HashMap<String, Binding>,
    /// Arguments of macros that are turned into text and not evaluated.
    pub(crate) not_evaluated: Vec<Range<usize>>,
    /// What passes the text of arguments on to macros, in order.
    pub(crate) text_edits: Vec<(Range<usize>, String)>,
    /// The macro body that is being rewritten.
    pub(crate) body: Option<MacroBody>,
    /// The hooks around accesses so far; the edits that open them get their texts at the end.
    pub(crate) hooked: Vec<Hooked>,
    /// The first one of the enclosing function.
    pub(crate) first_hooked: usize,
    /// The names of barriers at which a thread leaves its stack, by their positions.
    pub(crate) region_barriers: HashSet<usize>,
    /// For each kernel, its shared variables that are atomic for a time.
    pub(crate) atomic_for_a_time: HashMap<String, BTreeSet<String>>,
    pub(crate) out: Instrumented,
}

/// A macro's body. The file's masked text has blanks in its place.
pub(crate) struct MacroBody {
    pub(crate) start: usize,
    pub text: Vec<u8>,
    /// How parameters have been used so far.
    pub(crate) roles: HashMap<String, Vec<Role>>,
    /// The shared variables that it declares.
    pub(crate) declares: Vec<String>,
}

/// A macro's text with the operands of `##` joined, as in its uses, except that parameters keep
/// their names.
fn without_pasting(text: &str) -> String {
    if !text.contains("##") {
        return text.to_owned();
    }
    text.split("##").map(str::trim).collect()
}

impl<'a> Rewriter<'a> {
    pub fn new(
        source: &'a Source<'a>,
        prepass: &'a Prepass,
        facts: &'a Facts,
        options: &'a Options<'a>,
    ) -> Self {
        let mut scopes = Scopes::default();
        scopes.enter();
        let mut sites = Sites::new(options.numbering);
        sites.remarks.optouts = OptOuts::read(source.text, prepass);
        Self {
            path: source.path,
            source: source.text,
            prepass,
            facts,
            options,
            edits: Edits::default(),
            sites,
            scopes,
            enclosing: Enclosing {
                name: String::new(),
                class: None,
                side: Side::Host,
                returns: Returns::Value,
                result: None,
            },
            classes: Vec::new(),
            namespaces: Vec::new(),
            in_template: false,
            extents: Vec::new(),
            host_objects: HashMap::new(),
            symbols: Vec::new(),
            symbol_count: 0,
            variable_count: 0,
            shared_seen: HashSet::new(),
            shared_names: HashSet::new(),
            file_shared: HashSet::new(),
            range_count: 0,
            unread: Vec::new(),
            target: Target::default(),
            macro_parameters: Vec::new(),
            line_ends: OnceCell::new(),
            not_evaluated: Vec::new(),
            text_edits: Vec::new(),
            body: None,
            hooked: Vec::new(),
            first_hooked: 0,
            region_barriers: HashSet::new(),
            atomic_for_a_time: HashMap::new(),
            out: Instrumented::default(),
        }
    }

    /// Assembles the result.
    pub(crate) fn finish(mut self, root: Node<'_>) -> Instrumented {
        let mut out = std::mem::take(&mut self.out);
        // A header may open a brace that another one closes.
        if !is_header(self.path) {
            out.errors.extend(self.prepass.problems.iter().cloned());
        }
        let cuda = self.is_cuda();
        let asserts = !self.on_cpu() && !self.options.defines.is_given("NDEBUG");
        (out.base, out.key) = (self.sites.base(), self.sites.key());
        let (sites, remarks) = self.sites.finish(self.source);
        out.branches = arms::of(root, self.source, &sites);
        out.calls = device_calls::of(root, self.source, self.facts, self.prepass);
        out.sites = sites;
        remarks.finish(self.source, self.path, self.prepass, &mut out);
        let touched = !self.edits.is_empty() || out.device_functions > 0;
        let has_header = touched || cuda || !self.options.prelude.is_empty();
        let mut text_edits = std::mem::take(&mut self.text_edits);
        if has_header && asserts {
            text_edits.extend(self.facts.texts.assertions(self.source));
        }
        for (range, text) in text_edits {
            self.edits.before_all(range, text);
        }
        for it in &self.hooked {
            self.edits.complete(it.edit, it.opening());
        }
        out.edits = self.edits.finish(self.source);
        if !self.facts.macros.is_empty() {
            for edit in &mut out.edits {
                let next = self.source.get(edit.range.end..).unwrap_or("");
                edit.text = protected(&edit.text, next, self.facts);
            }
        }
        let body = apply(self.source, &out.edits);
        if !has_header {
            out.text = body;
            return out;
        }
        let (mark, body) = match body.strip_prefix('\u{feff}') {
            Some(rest) => ("\u{feff}", rest),
            None => ("", body.as_str()),
        };
        let notes = out.notes(self.source, self.options.location);
        let registrations = trailer::registrations(out.key, self.source, &self.symbols);
        let kernels = trailer::kernels(
            &out.kernels,
            &self.facts.synchronisation,
            &self.atomic_for_a_time,
        );
        let notes = (&notes, kernels.as_str());
        let tail = trailer::trailer(self.options.backend, self.path, &out, notes, registrations);
        let tail = protected_lines(tail, self.facts);
        out.text = format!(
            "{mark}{}{body}{tail}",
            trailer::header(self.path, self.facts, self.options)
        );
        out
    }

    /// Whether a file without hooks still needs the declarations of the header, because it is
    /// compiled on its own as CUDA.
    fn is_cuda(&self) -> bool {
        let cuda = Qualifiers::GLOBAL
            | Qualifiers::DEVICE
            | Qualifiers::HOST
            | Qualifiers::SHARED
            | Qualifiers::CONSTANT
            | Qualifiers::MANAGED;
        let extension = self.path.rsplit('.').next().unwrap_or("");
        !is_header(self.path)
            && (extension.eq_ignore_ascii_case("cu")
                || self.prepass.marks.iter().any(|it| it.qualifiers.has(cuda)))
    }

    /// Whether the result is for the CPU executor.
    pub(crate) fn on_cpu(&self) -> bool {
        self.options.backend == Backend::Cpu
    }

    /// Whether reads of `__constant__` variables are checked: copies may write them meanwhile.
    pub(crate) fn checks_constant_memory(&self) -> bool {
        self.on_cpu() && self.facts.constants_change
    }

    /// Whether the current node is in device code.
    pub(crate) fn on_device(&self) -> bool {
        self.enclosing.side == Side::Device
    }

    /// A node's text.
    pub fn text(&self, node: Node<'_>) -> &'a str {
        self.source.get(node.range()).unwrap_or("")
    }

    /// Replaces `range` by `text`, but keeps its line breaks.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.edits.replace(self.source, range, text);
    }

    /// Gives the name at `name` a meaning in the innermost block.
    pub(crate) fn bind(&mut self, name: Node<'_>, binding: Binding) {
        self.scopes.bind(self.text(name), binding);
    }

    /// The text at `range` as the grammar sees it.
    pub(crate) fn masked(&self, range: Range<usize>) -> &[u8] {
        let (text, start) = match &self.body {
            Some(body) => (&body.text, body.start),
            None => (&self.prepass.text, 0),
        };
        let range = range.start.saturating_sub(start)..range.end.saturating_sub(start);
        text.get(range).unwrap_or(b"")
    }

    /// The text at `range` as the user wrote it, without comments and other parts that are blank for the grammar,
    /// and with white space folded.
    pub(crate) fn shown(&self, range: Range<usize>) -> String {
        let written = self.source.get(range.clone()).unwrap_or("").as_bytes();
        let mut text = self.masked(range).to_vec();
        let mut before = b' ';
        for (masked, written) in text.iter_mut().zip(written) {
            // Repairs: the grammar takes some `<` for the start of template arguments, and reads `p->*m` as `p->m`.
            let to_member = *written == b'*' && matches!(before, b'>' | b'.');
            if to_member || !masked.is_ascii_whitespace() {
                *masked = *written;
            }
            before = *written;
        }
        fold(&text)
    }

    /// Adds a site in the current function.
    pub(crate) fn site(
        &mut self,
        kind: SiteKind,
        range: Range<usize>,
        variable: &str,
    ) -> Option<String> {
        let pasted = self
            .body
            .as_ref()
            .and_then(|_| self.source.get(range.clone()))
            .filter(|it| it.contains("##"));
        let text = match pasted {
            Some(text) => without_pasting(&fold(text.as_bytes())),
            None => self.shown(range.clone()),
        };
        let variable = without_pasting(variable);
        self.sites
            .add(kind, range, text, &variable, &self.enclosing.name)
    }

    /// Adds a site for the access at `range` to `variable`; none if it is not to be monitored.
    pub(crate) fn access_site(
        &mut self,
        kind: SiteKind,
        range: Range<usize>,
        variable: &str,
    ) -> Option<String> {
        if self.wanted(range.clone(), variable) {
            return self.site(kind, range, variable);
        }
        let orders = kind == SiteKind::Atomic && self.on_cpu();
        orders.then(|| self.order_only_site(range, variable))?
    }

    /// Adds a site for an atomic operation that is not to be checked. Others may be ordered by it.
    pub(crate) fn order_only_site(
        &mut self,
        range: Range<usize>,
        variable: &str,
    ) -> Option<String> {
        let number = self.sites.count();
        let id = self.site(SiteKind::Sync, range, variable)?;
        self.out.order_only.extend(number);
        Some(id)
    }

    /// A node's text with white space folded.
    pub(crate) fn folded(&self, node: Node<'_>) -> String {
        fold(self.masked(node.range()))
    }

    /// Notes a problem that prevents the file from being checked.
    pub(crate) fn error(&mut self, offset: usize, message: impl Into<String>) {
        self.out.errors.push(SyntaxProblem {
            offset,
            message: message.into(),
        });
    }
}
