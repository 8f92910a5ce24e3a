//! Declarations at namespace and class scope.

use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::is_header;
use hirace_model::Backend;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Layer, declarators, has_const, split_name};
use hirace_syntax::words::Words;

/// Words that already say how a name is linked.
const STORAGE: Words = Words::of(
    "static extern inline __inline__ __inline __forceinline__ constexpr friend template typedef",
);

impl Rewriter<'_> {
    /// Rejects a texture or surface reference for a GPU. To nvcc it is an ordinary declaration, so
    /// its message would only say that the type is unknown.
    fn check_reference(&mut self, node: Node<'_>) {
        let kind = node.child(Field::Type);
        let Some(kind) = kind.filter(|it| it.is(Kind::TemplateType) && !self.on_cpu()) else {
            return;
        };
        let text = self.folded(kind);
        let object = match text.split_once('<') {
            Some(("texture", rest))
                if rest.contains("cudaReadMode") || rest.contains("cudaTextureType") =>
            {
                "cudaCreateTextureObject"
            }
            Some(("surface", rest))
                if rest.starts_with("void") || rest.contains("cudaSurfaceType") =>
            {
                "cudaCreateSurfaceObject"
            }
            _ => return,
        };
        self.error(
            node.start(),
            format!(
                "`{text}`: CUDA 12 removed texture and surface references; create an object \
                 with `{object}` and pass it to the kernel, or run the program without a GPU"
            ),
        );
    }

    /// A variable or a function without a body.
    pub(super) fn outer_declaration(&mut self, node: Node<'_>) {
        self.check_reference(node);
        self.class_in_type(node);
        if node.child(Field::Declarator).is_none() {
            return;
        }
        let qualifiers = self.prepass.qualifiers_of(node);
        let is_extern = node.has_storage_class("extern", self.source);
        if qualifiers.has(Qualifiers::SHARED) {
            return self.outer_shared(node);
        }
        if self.classes.is_empty()
            && let Some(first) = declarators(node, self.source).next()
            && let Some(name) = first.name
        {
            let (name, scope) = split_name(name, self.source);
            if scope.is_none() {
                self.local_to_file(node, &name, qualifiers);
            }
        }
        self.export_variables(node, qualifiers);
        for outer in node.children_in(Field::Declarator) {
            if let Some(value) = outer.child(Field::Value) {
                self.host(value);
            }
        }
        let device = match qualifiers.has(Qualifiers::CONSTANT) {
            true => self.checks_constant_memory(),
            false => qualifiers.has(Qualifiers::DEVICE | Qualifiers::MANAGED),
        } && !qualifiers.has(Qualifiers::CONSTEXPR);
        if !device || !self.classes.is_empty() {
            return;
        }
        let constant = has_const(node, self.source);
        let mut variables = Vec::new();
        for declarator in declarators(node, self.source) {
            let fixed = match declarator.nearest() {
                Some(Layer::Pointer(fixed)) => fixed,
                Some(Layer::Reference) => true,
                _ => constant && !declarator.element_is_pointer(),
            };
            let name = declarator
                .name
                .filter(|_| !declarator.is_function() && !fixed);
            variables.extend(name.map(|it| self.text(it).to_owned()));
        }
        if variables.is_empty() || self.in_template {
            return;
        }
        match self.options.backend {
            Backend::Cpu => {
                let start = self.prepass.start_with_qualifiers(node.start());
                // A declared variable is defined, and registered, elsewhere.
                if !is_extern {
                    self.edits.open(start, "HIRACE_DEVICE_VARIABLE ");
                    self.name_for_reports(node, variables, qualifiers);
                }
            }
            Backend::Gpu if !is_extern => self.register(node, &variables),
            Backend::Gpu => {}
        }
    }

    /// Device variables that a program that loads this file as a module can find by their names.
    fn export_variables(&mut self, node: Node<'_>, qualifiers: Qualifiers) {
        let in_memory = Qualifiers::DEVICE | Qualifiers::CONSTANT | Qualifiers::MANAGED;
        let is_found = self.classes.is_empty() && !self.in_template;
        if !is_found || !qualifiers.has(in_memory) || qualifiers.has(Qualifiers::CONSTEXPR) {
            return;
        }
        for declarator in declarators(node, self.source).filter(|it| !it.is_function()) {
            if let Some(name) = declarator.name.map(|it| self.text(it).to_owned()) {
                self.export("&", &name);
            }
        }
    }

    /// Tells the executor the keys of device variables.
    fn name_for_reports(&mut self, node: Node<'_>, variables: Vec<String>, qualifiers: Qualifiers) {
        let register = match qualifiers.has(Qualifiers::MANAGED) {
            true => "HIRACE_NAME_MANAGED_VARIABLE",
            false => "HIRACE_NAME_VARIABLE",
        };
        for name in variables {
            let number = self.variable_count;
            self.variable_count += 1;
            let key = self.named(number, name.clone());
            let text = format!(" {register}({name}, 0x{key:08x})");
            self.edits.close(node.end(), text);
        }
    }

    /// Makes a function or a variable of the device local to its file, if other files have their own.
    pub(in crate::rewrite) fn local_to_file(
        &mut self,
        node: Node<'_>,
        name: &str,
        qualifiers: Qualifiers,
    ) {
        let mut classes = ["static", "extern"].iter();
        let given = classes.any(|it| node.has_storage_class(it, self.source));
        let declarator = declarators(node, self.source).next();
        let special = declarator
            .as_ref()
            .and_then(|it| it.name)
            .is_some_and(|it| {
                // The specialisation of a template has the template's linkage.
                it.descendants_of(Kind::TemplateFunction).next().is_some()
                    || it.is(Kind::TemplateFunction)
            });
        if !self.on_cpu() || given || special {
            return;
        }
        let names = &self.facts.per_file;
        let is_local = |linkage| names.is_local(name, qualifiers, linkage, self.path);
        let is_function = declarator.as_ref().is_some_and(Declarator::is_function);
        if !is_function && has_const(node, self.source) {
            return;
        }
        let start = self.prepass.start_with_qualifiers(node.start());
        let by_several = names.is_defined_by_several(name);
        if !is_local(self.options.linkage) || (!by_several && !self.may_be_local(node, start)) {
            return;
        }
        // Inline functions and templates of a header exist once, and so must what they use.
        let one = is_header(self.path) && !by_several && !names.is_of_host(name);
        let word = match (one, is_function) {
            (true, true) => "inline ",
            (true, false) => "__attribute__((__weak__)) ",
            (false, _) => "static ",
        };
        self.edits.open(start, word);
    }

    /// Whether a declaration of the device that begins at `start` may get another storage class: it has none,
    /// in macros neither, and is no part of a template, a class or a linkage specification.
    fn may_be_local(&self, node: Node<'_>, start: usize) -> bool {
        let before = self.source.get(..start).unwrap_or("").trim_end();
        let line = before.lines().next_back().unwrap_or("").trim_start();
        let linkage_before = line.ends_with('"') && !line.starts_with('#');
        if self.in_template || linkage_before {
            return false;
        }
        let name = declarators(node, self.source).next().and_then(|it| it.name);
        let Some(name) = name.filter(|it| !it.is(Kind::QualifiedIdentifier)) else {
            return false;
        };
        let head = self.source.get(start..name.start()).unwrap_or("");
        let words = |text: &str| {
            let parts = text.split(|it: char| !(it.is_alphanumeric() || it == '_'));
            parts.map(str::to_owned).collect::<Vec<_>>()
        };
        let in_macros = |word: &String| {
            let bodies = self.facts.macros.get(word).into_iter().flatten();
            bodies.flat_map(|it| words(&it.body)).collect::<Vec<_>>()
        };
        let own = words(head);
        let all = own.iter().flat_map(in_macros).chain(own.iter().cloned());
        // A class may have declared a function as its friend, and so as external.
        !all.into_iter().any(|it| STORAGE.has(&it)) && !self.source.contains("friend")
    }

    /// Registers device variables with the GPU runtime.
    fn register(&mut self, node: Node<'_>, variables: &[String]) {
        for name in variables {
            let path = self.namespaces.iter().chain([name]);
            let symbol: String = path.map(|part| format!("::{part}")).collect();
            let index = self.symbol_count;
            self.symbol_count += 1;
            if self.prepass.is_uncertain(node.start()) {
                // At the end of the file the variable may be out of scope.
                let number = self.sites.key();
                let text = crate::rewrite::trailer::symbol_registration(number, index, &symbol);
                self.edits
                    .close(node.end(), format!(" namespace {{ {text} }}"));
            } else {
                self.symbols.push((index, symbol));
            }
        }
    }
}
