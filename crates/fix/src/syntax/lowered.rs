//! What was found out about the functions of a file, so that each question is answered once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use hirace_ir::control::ControlFlow;
use hirace_ir::divergence::{Divergence, Group};
use hirace_ir::values::Values;

/// The blocks of a function, and its values.
pub(crate) struct Lowered {
    pub flow: Rc<ControlFlow>,
    pub values: Rc<Values>,
}

/// The functions of a file that were asked for, by their positions.
#[derive(Default)]
pub(crate) struct Known {
    pub lowered: RefCell<HashMap<usize, Rc<Lowered>>>,
    pub divergence: RefCell<HashMap<(usize, Group), Rc<Divergence>>>,
}
