//! Reads all files of a project into [`Facts`].

use std::collections::HashSet;
use std::path::Path;

use hirace_syntax::Defines;
use hirace_syntax::alias::{AliasSource, Aliases};
use hirace_syntax::prepass::{Definitions, definitions};
use hirace_syntax::qualifier::Qualifiers;
use rayon::prelude::*;

use super::Source;
use super::binding::ParameterFact;
use super::facts::collect::{Collector, packs_classes};
use super::facts::macro_body::{declarations, holds_device_code, holds_function, masked};
use super::facts::parses::Parses;
use super::facts::texts::Texts;
use super::facts::{Facts, MacroText, Signature, operators};
use super::names::cuda::{names_cuda_objects, uses_cub, uses_streams, writes_symbols};
use super::names::{bare_name, is_scalar};
use super::stack::with_depth;
use crate::includes;

/// How much source text is read at a time, by all cores together.
const BATCH_BYTES: usize = 4 << 20;

impl Facts {
    /// Reads all files of a project.
    pub fn collect<'a>(files: impl IntoIterator<Item = &'a Source<'a>>, defines: &Defines) -> Self {
        Self::collect_watched(files, defines, &mut |_| {})
    }

    /// The same as [`Facts::collect`]; calls `watch` with the number of bytes after each batch.
    pub fn collect_watched<'a>(
        files: impl IntoIterator<Item = &'a Source<'a>>,
        defines: &Defines,
        watch: &mut dyn FnMut(usize),
    ) -> Self {
        let files: Vec<&Source<'_>> = files.into_iter().collect();
        let mut facts = Self::default();
        let included = files.iter().flat_map(|it| includes::directives(it.text));
        let names = included.filter_map(|it| Path::new(it.name).file_name());
        facts.included = names.map(ToOwned::to_owned).collect();
        let definitions: Vec<_> = files
            .par_iter()
            .map(|file| definitions(file.text, defines))
            .collect();
        for (file, definitions) in files.iter().zip(definitions) {
            facts.note_macros(file, definitions);
        }
        facts.aliases = Aliases::find(facts.macros.iter().flat_map(|(name, definitions)| {
            definitions.iter().map(move |definition| AliasSource {
                name,
                has_parameters: definition.parameters.is_some(),
                body: &definition.body,
            })
        }));
        facts.operators = operators::parameters(&files, &facts.macros);
        let mut words = HashSet::new();
        let own = facts.read_functions_in_macros(&mut words);
        facts.find_definer_names(&own);
        facts.names_given = facts.names_given_in_macros();
        let mut parses = Parses::default();
        for batch in batches(&files) {
            let read: Vec<_> = batch
                .par_iter()
                .map(|file| {
                    let (prepass, tree) = facts.read(file, defines);
                    let names = facts.names_given(&prepass, file.text);
                    (prepass, tree, names)
                })
                .collect();
            for (file, (prepass, tree, names)) in batch.iter().zip(read) {
                facts.names_given.extend(names);
                facts.note_given_statements(file.text, &prepass.tokens);
                facts.cuda_objects |= names_cuda_objects(file.text);
                facts.cub |= uses_cub(file.text);
                facts.hidden_pointers |= packs_classes(&prepass, file.text);
                with_depth(tree.depth(), || {
                    let mut collector = Collector::of(file, &prepass, &mut facts, &mut words);
                    collector.items(tree.root());
                });
                parses.keep(file, prepass, tree);
                watch(file.text.len());
            }
        }
        let any = |has: fn(&str) -> bool| files.iter().any(|file| has(file.text));
        facts.constants_change = any(writes_symbols) && any(uses_streams);
        for file in &files {
            facts.per_file.note_host_file(file.path, file.text);
        }
        facts.join_declarations();
        facts.find_definers(&own);
        facts.note_conversions();
        facts.spread_macros(words);
        facts.follow_calls(defines);
        facts.texts = Texts::of(&files, &facts.device_macros);
        facts.study_macros();
        facts.parses = parses;
        facts
    }

    fn note_macros(&mut self, file: &Source<'_>, found: Definitions) {
        for definition in found.macros {
            let text = MacroText {
                parameters: definition.parameters,
                body: file.text[definition.body].to_owned(),
            };
            let known = self.macros.entry(definition.name).or_default();
            if !known.contains(&text) {
                known.push(text);
            }
        }
        self.tested_macros.extend(found.tested_names);
    }

    /// Reads the functions that macros define. If a parameter gives the name, they are stored under
    /// the empty name. Returns the names of the macros.
    fn read_functions_in_macros(&mut self, words: &mut HashSet<String>) -> HashSet<String> {
        let mut found = Vec::new();
        let mut definers = HashSet::new();
        for (name, definitions) in &self.macros {
            for text in definitions.iter().filter(|it| it.body.contains('{')) {
                let prepass = masked(&text.body, self, name);
                if holds_device_code(&prepass, &text.body) {
                    found.push((name.clone(), text.clone(), prepass));
                }
            }
        }
        for (name, text, prepass) in found {
            let before = std::mem::take(&mut self.functions);
            if let Some(tree) = declarations(&prepass.text, 0) {
                let file = Source {
                    path: "",
                    text: &text.body,
                };
                Collector::of(&file, &prepass, self, words).items(tree.root());
            }
            let defined = std::mem::replace(&mut self.functions, before);
            let defines = defined.values().flatten().any(|it| it.defined);
            if !defines {
                self.lambda_macros.insert(name.clone());
            }
            if defines || holds_function(&prepass.text) {
                definers.insert(name.clone());
            }
            let parameters = text.parameters.as_deref().unwrap_or(&[]);
            for (function, signatures) in defined {
                let parameter = parameters.iter().position(|it| *it == function);
                let kernel = |it: &Signature| it.defined && it.qualifiers.has(Qualifiers::GLOBAL);
                if signatures.iter().any(kernel) {
                    self.kernel_macros.insert(name.clone(), parameter);
                }
                if parameter.is_some() {
                    self.naming_macros.insert(name.clone());
                }
                let given = parameter.is_some() || function.contains("__");
                let function = if given { String::new() } else { function };
                let known = self.functions.entry(function).or_default();
                known.extend(signatures);
            }
        }
        definers
    }

    /// Marks declarations of functions that have a body elsewhere as defined.
    fn join_declarations(&mut self) {
        for signatures in self.functions.values_mut() {
            let bodies: Vec<(Option<String>, usize)> = signatures
                .iter()
                .filter(|it| it.defined)
                .map(|it| (it.class.clone(), it.parameters.len()))
                .collect();
            for signature in signatures.iter_mut().filter(|it| !it.defined) {
                let same = |(class, count): &(Option<String>, usize)| {
                    *class == signature.class && *count == signature.parameters.len()
                };
                signature.defined = bodies.iter().any(same);
            }
        }
    }

    /// Looks for constructors, conversions and assignments between different types.
    fn note_conversions(&mut self) {
        let takes_own = |it: &Signature| {
            let first = it.parameters.first().map(|it| bare_name(&it.type_text));
            first.is_none() || first == it.class.as_deref()
        };
        let assigns_others = self.functions_called("operator=").any(|it| !takes_own(it));
        let mut constructors = self.classes.keys().flat_map(|class| {
            let all = self.functions_called(class);
            all.filter(move |it| it.class.as_ref() == Some(class))
        });
        let converting = |it: &Signature| {
            let number = |it: &ParameterFact| is_scalar(&it.type_text) || it.pointer;
            it.accepts(1) && !takes_own(it) && !it.parameters.first().is_some_and(number)
        };
        let converts = assigns_others
            || self.functions.contains_key("operator")
            || constructors.any(converting);
        drop(constructors);
        (self.assigns_others, self.converts) = (assigns_others, converts);
    }

    /// Follows macros used by device code through macro bodies.
    fn spread_macros(&mut self, words: HashSet<String>) {
        let mut waiting: Vec<String> = words.into_iter().collect();
        while let Some(word) = waiting.pop() {
            if self.device_macros.contains(&word) {
                continue;
            }
            for definition in self.macros.get(&word).into_iter().flatten() {
                for token in hirace_syntax::lexer::lex_inline(&definition.body).tokens {
                    let text = token.text(&definition.body);
                    if self.macros.contains_key(text) {
                        waiting.push(text.to_owned());
                    }
                }
            }
            self.device_macros.insert(word);
        }
    }
}

/// Groups of files that are read together.
fn batches<'f, 'a>(files: &'f [&'a Source<'a>]) -> impl Iterator<Item = &'f [&'a Source<'a>]> {
    let mut rest = files;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let count = rest
            .iter()
            .take_while(|file| {
                let fits = bytes < BATCH_BYTES;
                bytes += file.text.len();
                fits
            })
            .count();
        let (batch, after) = rest.split_at(count);
        rest = after;
        (!batch.is_empty()).then_some(batch)
    })
}
