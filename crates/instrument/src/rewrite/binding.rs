//! What the source shows about a name: where its object is stored, and its type.

use super::names::is_scalar;
use hirace_syntax::view::{Declarator, Layer, Parameter, Returns, names_reference};

/// Where an object is stored, as far as the source shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// In a local variable of the thread; no other thread can reach it by this name.
    Local,
    /// At an address that only the hook knows, at run time.
    Memory,
    /// Nowhere: the name is a type, a function or a constant.
    Nothing,
}

impl Storage {
    /// The storage of a declared name, without its initialiser.
    pub(crate) fn of_declared(reference: bool) -> Self {
        match reference {
            true => Self::Memory,
            false => Self::Local,
        }
    }
}

/// The layers of a type, as far as the source shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Array dimensions.
    pub(crate) rank: usize,
    /// Pointers below the array dimensions.
    pub(crate) pointers: usize,
    /// Whether the source shows that no pointer, array or class is below these layers.
    pub(crate) exact: bool,
}

impl Shape {
    pub(crate) const UNKNOWN: Self = Self {
        rank: 0,
        pointers: 0,
        exact: false,
    };

    /// A pointer to an unknown type.
    pub(crate) const POINTER: Self = Self {
        pointers: 1,
        ..Self::UNKNOWN
    };

    /// The shape of the object that `declarator` declares with a type called `type_text`.
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

    /// The shape of a variable that is initialised by value: an array becomes a pointer to its first
    /// element.
    pub(crate) fn by_value(self) -> Self {
        match self.rank {
            0 => self,
            _ => Self::POINTER,
        }
    }

    /// The shape of an element or of the object pointed to.
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

/// A parameter as callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParameterFact {
    pub(crate) reference: bool,
    pub(crate) constant: bool,
    pub(crate) pack: bool,
    pub(crate) optional: bool,
    pub(crate) pointer: bool,
    pub(crate) type_text: String,
}

impl ParameterFact {
    pub(crate) fn of(parameter: &Parameter<'_>, source: &str) -> Self {
        Self {
            reference: parameter.is_reference(),
            constant: parameter.constant,
            pack: parameter.pack,
            optional: parameter.is_optional(),
            pointer: parameter
                .declarator
                .as_ref()
                .is_some_and(|it| it.element_is_pointer() || it.rank() > 0),
            type_text: parameter.type_text(source).to_owned(),
        }
    }
}

/// A lambda expression as its callers see it.
#[derive(Clone, Debug)]
pub(crate) struct LambdaFact {
    pub(crate) parameters: Vec<ParameterFact>,
    pub(crate) returns: Returns,
}

/// The known facts about a name.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) storage: Storage,
    pub(crate) shape: Shape,
    /// The type's text, without declarator.
    pub(crate) type_text: String,
    /// The lambda that it holds.
    pub(crate) lambda: Option<LambdaFact>,
    /// A `__shared__` variable of the enclosing function. For the CPU the name becomes a reference
    /// or a pointer.
    pub(crate) shared: bool,
    /// The CPU executor's object for a file-scope `extern __shared__` array.
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

    /// A pointer to an unknown type.
    pub(crate) fn pointer(storage: Storage) -> Self {
        Self::of_shape(storage, Shape::POINTER)
    }

    /// An object of which only the shape is known.
    pub(crate) fn of_shape(storage: Storage, shape: Shape) -> Self {
        Self {
            storage,
            shape,
            ..Self::nothing()
        }
    }

    /// A declared object in `storage`.
    pub(crate) fn object(storage: Storage, declarator: &Declarator<'_>, type_text: &str) -> Self {
        let shape = Shape::of(&declarator.layers, type_text);
        Self {
            storage,
            shape,
            type_text: type_text.to_owned(),
            ..Self::nothing()
        }
    }

    /// The same for a function's parameter: arrays are pointers there.
    pub(crate) fn parameter(declarator: &Declarator<'_>, type_text: &str) -> Self {
        let reference = declarator.is_reference()
            || (declarator.layers.is_empty() && names_reference(type_text));
        let storage = Storage::of_declared(reference);
        let mut binding = Self::object(storage, declarator, type_text);
        if storage == Storage::Local && binding.shape.rank > 0 {
            binding.shape.rank -= 1;
            // The object pointed to may be an array; the hook passes arrays through.
            binding.shape = Shape {
                rank: 0,
                pointers: binding.shape.pointers + 1,
                exact: false,
            };
        }
        binding
    }
}
