//! Memory that kernels allocate themselves.
//!
//! The CPU executor allocates it from device memory
//! (`device/hirace/executor/memory/kernel_heap.h`); a GPU uses the device's own heap.

use super::calls::NamedCall;
use super::context::Rewriter;
use super::role::Role;
use hirace_syntax::tree::{Field, Node};

impl Rewriter<'_> {
    /// `malloc(n)` and `free(p)` in device code; false for any other call.
    pub(crate) fn allocation(&mut self, call: NamedCall<'_>) -> bool {
        let function = match self.folded(call.callee).as_str() {
            "malloc" | "::malloc" | "std::malloc" => "kernel_malloc",
            "free" | "::free" | "std::free" => "kernel_free",
            _ => return false,
        };
        if !self.on_cpu() || !self.on_device() || self.is_users(call) {
            return false;
        }
        self.replace(call.callee.range(), format!("::hirace::cpu::{function}"));
        self.expressions(call.arguments, Role::Load);
        true
    }

    /// The allocation of a `new T` without placement.
    pub(crate) fn heap_of_new(&mut self, node: Node<'_>) {
        if !self.on_cpu() || !self.on_device() || node.child(Field::Placement).is_some() {
            return;
        }
        if let Some(word) = node.children().find(|it| self.text(*it) == "new") {
            let text = "new (::hirace::cpu::kernel_heap)";
            self.replace(word.range(), text);
        }
    }

    /// `delete p` and `delete[] p`.
    pub(crate) fn delete(&mut self, node: Node<'_>) {
        let Some(object) = node.first_named() else {
            return;
        };
        if self.on_cpu() && self.on_device() {
            let words = node.start()..object.start();
            let text = self.source.get(words.clone()).unwrap_or("");
            let function = match text.contains('[') {
                true => "kernel_delete_array",
                false => "kernel_delete",
            };
            self.replace(words, format!("::hirace::cpu::{function}("));
            self.expression(object, Role::Load);
            self.edits.close(node.end(), ")");
        } else {
            self.expression(object, Role::Load);
        }
    }
}
