//! What the text of one function shows.

use std::collections::{BTreeSet, HashMap};

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Layer, called_name, declarators};
use hirace_syntax::words::{Words, is_builtin_type};

use super::meanings::{Form, MASKED};
use super::{Construct, Constructs};

/// Words before `volatile` that make it a part of inline assembly.
const ASSEMBLY: Words = Words::of("asm __asm __asm__");

/// Keywords that a parenthesis may follow.
const KEYWORDS: Words =
    Words::of("if for while switch return volatile asm __asm __asm__ else do and or not");

/// Whether a word makes a type volatile.
pub fn is_volatile(word: &str) -> bool {
    Words::of("volatile add_volatile add_volatile_t add_cv add_cv_t").has(word)
}

/// What the text of a function shows.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub(super) constructs: Constructs,
    /// The names that it uses, and how.
    pub(super) uses: BTreeSet<(String, Form)>,
}

impl Summary {
    /// The summary of a function or a lambda at a node, and of what is inside it. `words` are the words of its text,
    /// those of macros included.
    pub fn of<'w>(node: Node<'_>, text: &str, words: impl Iterator<Item = &'w str>) -> Self {
        let mut summary = Self::default();
        if node.has_error() {
            summary.constructs.insert(Construct::Unknown);
        }
        summary.words(words);
        let parameters = TemplateParameters::of(node, text);
        let objects = Objects::of(node, text);
        for it in node.descendants() {
            match it.kind() {
                Kind::CallExpression if it.child_of(Kind::KernelCallSyntax).is_some() => {
                    summary.constructs.insert(Construct::Launch);
                }
                Kind::CallExpression => summary.call(it, text, &objects, &parameters),
                Kind::ExpressionStatement => {
                    // A macro, or a variable.
                    let is_name = |it: &Node<'_>| {
                        matches!(it.kind(), Kind::Identifier | Kind::TypeIdentifier)
                    };
                    let name = it.first_named().filter(is_name);
                    summary
                        .uses
                        .extend(name.map(|it| (it.text(text).to_owned(), Form::Plain)));
                }
                Kind::Declaration | Kind::ParameterDeclaration => {
                    let class = class_of(it, text).map(str::to_owned);
                    summary.uses.extend(class.map(|it| (it, Form::Type)));
                }
                _ => {}
            }
        }
        summary
            .uses
            .retain(|(name, _)| !parameters.types.contains(name.as_str()));
        summary.find_masks();
        summary
    }

    /// The summary of text outside of functions whose words may stand for functions.
    pub fn of_words<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut summary = Self::default();
        summary.words(words);
        // What surrounds them does not run in a kernel.
        summary.constructs.clear();
        summary
    }

    /// The summary of a macro with this text and these parameters.
    pub fn of_macro(text: &str, parameters: &[String]) -> Self {
        let mut summary = Self::default();
        let tokens = lex_inline(text).tokens;
        let word = |at: usize| tokens.get(at).map_or("", |it| it.text(text));
        let own = |name: &str| parameters.iter().any(|it| it == name);
        summary.words(tokens.iter().map(|it| it.text(text)));
        if text.contains("<<<") {
            summary.constructs.insert(Construct::Launch);
        }
        // Names that are put together, and template arguments, are not followed.
        let hides = |at: usize| word(at) == "##" || word(at) == ">" && word(at + 1) == "(";
        if (0..tokens.len()).any(hides) {
            summary.constructs.insert(Construct::Unknown);
        }
        for (at, token) in tokens.iter().enumerate() {
            let name = token.text(text);
            if token.kind != TokenKind::Word || word(at + 1) != "(" || KEYWORDS.has(name) {
                continue;
            }
            if own(name) {
                summary.constructs.insert(Construct::Unknown);
            }
            let is_method = at > 0 && matches!(word(at - 1), "." | "->");
            let form = match (is_method, word(at + 2)) {
                (true, _) => Form::Method,
                (false, ")") => Form::Plain,
                (false, _) => Form::WithArguments,
            };
            summary.uses.insert((name.to_owned(), form));
        }
        summary.find_masks();
        summary
    }

    /// A name that stands for `__syncwarp` may get a mask.
    fn find_masks(&mut self) {
        let has = |form| self.uses.contains(&(MASKED.to_owned(), form));
        if has(Form::Mention) && !has(Form::Plain) && !has(Form::WithArguments) {
            self.constructs.insert(Construct::MaskedBarrier);
        }
    }

    /// The names that stand there without being called: other functions may call them through pointers.
    pub(super) fn passed_on(&self) -> impl Iterator<Item = &str> {
        let calls = [Form::Plain, Form::WithArguments, Form::Method];
        let is_called = move |name: &str| {
            calls
                .iter()
                .any(|it| self.uses.contains(&(name.to_owned(), *it)))
        };
        let mentions = self.uses.iter().filter(|it| it.1 == Form::Mention);
        let names = mentions.map(|it| it.0.as_str());
        names.filter(move |it| !is_called(it))
    }

    fn words<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        let mut before = "";
        for word in words {
            if ASSEMBLY.has(word) {
                self.constructs.insert(Construct::Assembly);
            }
            if is_volatile(word) && !ASSEMBLY.has(before) {
                self.constructs.insert(Construct::Volatile);
            }
            if word.starts_with('#') && word.contains("include") {
                self.constructs.insert(Construct::Unknown);
            }
            let is_name = word.starts_with(|it: char| it.is_alphabetic() || it == '_');
            if is_name && !is_builtin_type(word) {
                self.uses.insert((word.to_owned(), Form::Mention));
            }
            before = word;
        }
    }

    fn call(
        &mut self,
        call: Node<'_>,
        text: &str,
        objects: &Objects<'_>,
        parameters: &TemplateParameters<'_>,
    ) {
        let Some(callee) = call.child(Field::Function) else {
            return;
        };
        let form = match callee.kind() {
            Kind::PrimitiveType => return,
            Kind::FieldExpression => Form::Method,
            Kind::Identifier
            | Kind::TemplateFunction
            | Kind::QualifiedIdentifier
            | Kind::DependentName => match call.arguments().next() {
                Some(_) => Form::WithArguments,
                None => Form::Plain,
            },
            // `(T)(x)`
            Kind::ParenthesizedExpression => Form::Type,
            // `T()(x)`
            Kind::CallExpression => Form::Object,
            _ => {
                self.constructs.insert(Construct::Unknown);
                return;
            }
        };
        let is_cast = callee.is(Kind::TemplateFunction)
            && callee.child_text(Field::Name, text).ends_with("_cast");
        let named = match form {
            Form::Type => callee.without_parentheses(),
            Form::Object => callee
                .child(Field::Function)
                .map_or(callee, |it| called_name(it).0),
            _ => called_name(callee).0,
        };
        let name = named.text(text);
        if parameters.values.contains(name) {
            self.constructs.insert(Construct::Unknown);
        }
        match objects.0.get(name).filter(|_| callee.is(Kind::Identifier)) {
            _ if is_cast => {}
            // A lambda, whose text is here.
            Some(None) => {}
            Some(Some(class)) => {
                self.uses.insert(((*class).to_owned(), Form::Object));
            }
            None => {
                self.uses.insert((name.to_owned(), form));
            }
        }
    }
}

/// The class that a declaration of objects, or of a parameter with a name, names.
fn class_of<'s>(declaration: Node<'_>, text: &'s str) -> Option<&'s str> {
    declaration.child(Field::Declarator)?;
    let is_name = |it: &Node<'_>| {
        matches!(
            it.kind(),
            Kind::TypeIdentifier | Kind::TemplateType | Kind::QualifiedIdentifier
        )
    };
    let class = declaration.child(Field::Type).filter(is_name)?;
    Some(called_name(class).0.text(text))
}

/// The objects of classes that a function declares, with the names of these classes; none for lambdas.
struct Objects<'s>(HashMap<&'s str, Option<&'s str>>);

impl<'s> Objects<'s> {
    fn of(function: Node<'_>, text: &'s str) -> Self {
        let mut objects = HashMap::new();
        for it in function.descendants() {
            let is_lambda = |it: Node<'_>| it.is(Kind::LambdaExpression);
            match it.kind() {
                Kind::InitDeclarator if it.child(Field::Value).is_some_and(is_lambda) => {
                    objects.insert(it.child_text(Field::Declarator, text), None);
                }
                Kind::Declaration | Kind::ParameterDeclaration => {
                    let Some(class) = class_of(it, text) else {
                        continue;
                    };
                    for declarator in declarators(it, text) {
                        // `T f(x);` declares an object more often than a function.
                        let is_object =
                            |it: &Layer| matches!(it, Layer::Reference | Layer::Function);
                        let name = declarator
                            .name
                            .filter(|_| declarator.layers.iter().all(is_object));
                        if let Some(name) = name {
                            objects.insert(name.text(text), Some(class));
                        }
                    }
                }
                _ => {}
            }
        }
        Self(objects)
    }
}

/// The parameters of the templates around a function.
struct TemplateParameters<'s> {
    types: BTreeSet<&'s str>,
    /// Those that are values, such as pointers to functions.
    values: BTreeSet<&'s str>,
}

impl<'s> TemplateParameters<'s> {
    fn of(function: Node<'_>, text: &'s str) -> Self {
        let templates = function
            .ancestors()
            .filter(|it| it.is(Kind::TemplateDeclaration));
        let lists = templates.filter_map(|it| it.child(Field::Parameters));
        let (mut types, mut values) = (BTreeSet::new(), BTreeSet::new());
        for parameter in lists.flat_map(Node::named_children) {
            let words = parameter.text(text);
            if words.starts_with("typename") || words.starts_with("class") {
                let name = parameter.descendants_of(Kind::TypeIdentifier).next();
                types.extend(name.map(|it| it.text(text)));
            } else {
                let names = parameter.descendants_of(Kind::Identifier);
                values.extend(names.map(|it| it.text(text)));
            }
        }
        Self { types, values }
    }
}
