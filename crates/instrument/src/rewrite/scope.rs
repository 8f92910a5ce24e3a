//! What names mean inside a function.

use std::collections::HashMap;

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Layer, Returns, names_reference};

use super::facts::ParameterFact;

/// Where an object lives, as far as the source shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// In the thread itself; no other thread can reach it by this name.
    Local,
    /// Wherever the address says; the hook decides at run time.
    Memory,
    /// Nowhere: a type, a function, a constant.
    Nothing,
}

/// What a type looks like, as far as the source shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Array dimensions.
    pub(crate) rank: usize,
    /// Pointers below the array dimensions.
    pub(crate) pointers: usize,
    /// Whether there is surely no further pointer, array or class below.
    pub(crate) exact: bool,
}

impl Shape {
    pub(crate) const UNKNOWN: Self = Self {
        rank: 0,
        pointers: 0,
        exact: false,
    };

    /// The shape of what `declarator` declares with a type called `type_text`.
    pub(crate) fn of(layers: &[Layer], type_text: &str) -> Self {
        let layers = match layers {
            [Layer::Reference, rest @ ..] => rest,
            all => all,
        };
        let rank = layers
            .iter()
            .take_while(|layer| **layer == Layer::Array)
            .count();
        let inner = &layers[rank..];
        let pointers = inner
            .iter()
            .take_while(|layer| matches!(layer, Layer::Pointer(_)))
            .count();
        let exact = inner.len() == pointers && is_scalar(type_text);
        Self {
            rank,
            pointers,
            exact,
        }
    }

    /// The shape of an element or of what it points to.
    pub(crate) fn element(self, indices: usize) -> Self {
        let arrays = self.rank.min(indices);
        let left = indices - arrays;
        if left <= self.pointers {
            Self {
                rank: self.rank - arrays,
                pointers: self.pointers - left,
                exact: self.exact,
            }
        } else {
            Self::UNKNOWN
        }
    }
}

/// A lambda expression as its callers see it.
#[derive(Clone, Debug)]
pub(crate) struct LambdaFact {
    pub(crate) parameters: Vec<ParameterFact>,
    pub(crate) returns: Returns,
}

/// What is known of a name.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) storage: Storage,
    pub(crate) shape: Shape,
    /// The type's text, without declarator.
    pub(crate) type_text: String,
    /// The lambda held by it.
    pub(crate) lambda: Option<LambdaFact>,
    /// A `__shared__` variable of the function around it. For the CPU its name is that of
    /// a reference or a pointer.
    pub(crate) shared: bool,
    /// The CPU flavour's object for a file-scope `extern __shared__` array.
    pub(crate) dynamic_shared: bool,
}

impl Binding {
    /// A name without storage.
    pub(crate) fn nothing() -> Self {
        Self {
            storage: Storage::Nothing,
            shape: Shape::UNKNOWN,
            type_text: String::new(),
            lambda: None,
            shared: false,
            dynamic_shared: false,
        }
    }

    /// A pointer to something not known.
    pub(crate) fn pointer(storage: Storage) -> Self {
        let shape = Shape {
            rank: 0,
            pointers: 1,
            exact: false,
        };
        Self {
            storage,
            shape,
            ..Self::nothing()
        }
    }

    /// A declared object that lives in `storage`.
    pub(crate) fn object(storage: Storage, declarator: &Declarator<'_>, type_text: &str) -> Self {
        let shape = Shape::of(&declarator.layers, type_text);
        Self {
            storage,
            shape,
            type_text: type_text.to_owned(),
            ..Self::nothing()
        }
    }

    /// The same as a function's parameter: arrays are pointers there.
    pub(crate) fn parameter(declarator: &Declarator<'_>, type_text: &str) -> Self {
        let reference = declarator.is_reference()
            || (declarator.layers.is_empty() && names_reference(type_text));
        let storage = if reference {
            Storage::Memory
        } else {
            Storage::Local
        };
        let mut binding = Self::object(storage, declarator, type_text);
        if storage == Storage::Local && binding.shape.rank > 0 {
            binding.shape.rank -= 1;
            // What it points to may be an array; the hook passes arrays through.
            binding.shape = Shape {
                rank: 0,
                pointers: binding.shape.pointers + 1,
                exact: false,
            };
        }
        binding
    }
}

/// Whether a type's name alone says that it is a number.
pub(crate) fn is_scalar(text: &str) -> bool {
    !text.is_empty()
        && text.split_whitespace().all(|word| {
            matches!(
                word,
                "void"
                    | "bool"
                    | "char"
                    | "short"
                    | "int"
                    | "long"
                    | "float"
                    | "double"
                    | "unsigned"
                    | "signed"
                    | "size_t"
                    | "half"
                    | "__half"
            ) || (word.ends_with("_t") && word.contains("int"))
        })
}

/// Names in nested blocks.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    names: HashMap<String, Vec<Binding>>,
    /// Names bound since each open block began.
    blocks: Vec<Vec<String>>,
}

impl Scopes {
    pub(crate) fn enter(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub(crate) fn leave(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            if let Some(stack) = self.names.get_mut(&name) {
                stack.pop();
                if stack.is_empty() {
                    self.names.remove(&name);
                }
            }
        }
    }

    pub(crate) fn bind(&mut self, name: &str, binding: Binding) {
        if name.is_empty() {
            return;
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(name.to_owned());
            self.names.entry(name.to_owned()).or_default().push(binding);
        }
    }

    /// The names of `__shared__` variables in the blocks that are open.
    pub(crate) fn shared_names(&self) -> impl Iterator<Item = &str> {
        let shared = |stack: &Vec<Binding>| stack.last().is_some_and(|it| it.shared);
        let found = self.names.iter().filter(move |(_, stack)| shared(stack));
        found.map(|(name, _)| name.as_str())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.names.get(name)?.last()
    }

    /// Binds the names that a template's parameter list declares.
    pub(crate) fn bind_template(&mut self, parameters: Node<'_>, source: &str) {
        for parameter in parameters.named_children() {
            let name = match parameter.kind() {
                Kind::ParameterDeclaration
                | Kind::OptionalParameterDeclaration
                | Kind::VariadicParameterDeclaration => parameter
                    .child(Field::Declarator)
                    .and_then(|it| Declarator::of(it, source).name),
                Kind::OptionalTypeParameterDeclaration => parameter.child(Field::Name),
                _ => parameter
                    .descendants()
                    .filter(|it| it.is(Kind::TypeIdentifier))
                    .last(),
            };
            let is_type = !matches!(
                parameter.kind(),
                Kind::ParameterDeclaration | Kind::OptionalParameterDeclaration
            );
            if let Some(name) = name {
                let mut binding = Binding::nothing();
                if is_type {
                    "typename".clone_into(&mut binding.type_text);
                }
                self.bind(name.text(source), binding);
            }
        }
    }
}
