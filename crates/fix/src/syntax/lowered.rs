//! What was found out about the functions of a file, so that each question is answered once.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use hirace_ir::control::ControlFlow;
use hirace_ir::divergence::{Divergence, Group};
use hirace_ir::values::Values;

/// The blocks of a function, and its values.
pub(crate) struct Lowered {
    pub flow: Rc<ControlFlow>,
    pub values: Rc<Values>,
}

/// What was found out about a file: by the positions of functions, what was asked for.
#[derive(Default)]
pub(crate) struct Known {
    /// The names of its functions, classes and aliases.
    pub names: OnceCell<HashSet<String>>,
    /// Whether an operator or a conversion of the program asks for the thread.
    pub has_operators_of_threads: OnceCell<bool>,
    /// Whether objects of a class of the program depend on the thread.
    pub has_classes_of_threads: OnceCell<bool>,
    /// Whether a lambda of the program may change its arguments.
    pub has_lambdas_by_reference: OnceCell<bool>,
    pub lowered: RefCell<HashMap<usize, Rc<Lowered>>>,
    pub divergence: RefCell<HashMap<(usize, Group), Rc<Divergence>>>,
}
