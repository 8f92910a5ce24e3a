//! Barriers of the block, as statements and inside expressions. All threads of the block that still run reach them.

use super::kernel::Kernel;
use super::marks::{BARRIER, vote};

impl Kernel<'_> {
    /// An expression that threads evaluate in a phase in which they write, or read.
    fn expression_while(&mut self, writing: bool, depth: usize) -> String {
        let now = std::mem::replace(&mut self.writing, writing);
        let text = self.expression(depth);
        self.writing = now;
        text
    }

    /// A place that is read in such a phase.
    fn read_while(&mut self, writing: bool) -> String {
        let now = std::mem::replace(&mut self.writing, writing);
        let text = self.readable().read();
        self.writing = now;
        text
    }

    /// A statement that contains a barrier, after which threads write if they did not before.
    pub(super) fn barrier(&mut self, depth: usize) {
        let before = self.writing;
        let after = !before;
        let text = match self.random.next(26) {
            0 | 1 if self.plain && self.random.chance(70) => format!("{BARRIER};"),
            0 => "wait_all();".to_owned(),
            1 => "SYNC;".to_owned(),
            2 => "«b:cooperative_groups::this_thread_block().sync()»;".to_owned(),
            // The barrier's argument is evaluated before it.
            3 | 4 => {
                let given = self.expression_while(before, 1);
                format!("v += {};", vote("__syncthreads_count", &given))
            }
            5 => {
                let name = self.name("any");
                format!(
                    "int {name} = {}; w += {name};",
                    vote("__syncthreads_or", "v > 9")
                )
            }
            6 => format!("if (m) {{ {BARRIER}; }} else {{ {BARRIER}; }}"),
            7 => {
                let other = self.random.chance(50);
                let other = other.then(|| self.read_while(after));
                format!("w = ({BARRIER}, {});", other.as_deref().unwrap_or("v"))
            }
            // The operand may come before or after the barrier, so it is the thread's own element if threads take
            // turns.
            8 | 9 => {
                let own = self.read_while(true);
                format!("w = {own} + {};", vote("__syncthreads_count", "v"))
            }
            10 => {
                let other = self.read_while(after);
                format!("v += ({{ {BARRIER}; {other}; }});")
            }
            11 => "v = wait_and_double(v);".to_owned(),
            12 | 13 => return self.barrier_in_condition(depth),
            14 | 15 => return self.barrier_of_some_launches(depth),
            _ => format!("{BARRIER};"),
        };
        self.line(depth, &text);
        self.change_phase();
    }

    fn change_phase(&mut self) {
        self.writing = !self.writing;
        self.only_atomics = self.writing && !self.tidy && self.random.chance(30);
    }

    /// `if (__syncthreads_or(…) && m) { … }`
    fn barrier_in_condition(&mut self, depth: usize) {
        let given = self.expression(1);
        let condition = vote("__syncthreads_or", &given);
        self.change_phase();
        let more = self.random.pick(&[" && m", " && m > 3", ""]);
        self.line(depth, &format!("if ({condition}{more}) {{"));
        self.body(depth + 1, true);
        self.line(depth, "}");
    }

    /// A barrier that is passed or not by all threads of a launch, whose `m` decides.
    fn barrier_of_some_launches(&mut self, depth: usize) {
        let text = match self.random.next(4) {
            0 => format!("w += m && {};", vote("__syncthreads_or", "v > 3")),
            1 => format!(
                "if (m > 3 && {}) w = v;",
                vote("__syncthreads_and", "v > 5")
            ),
            2 => format!("v = m ? {} : w;", vote("__syncthreads_count", "v")),
            _ => format!("w = m < 3 || {};", vote("__syncthreads_or", "w")),
        };
        self.line(depth, &text);
        if !self.tidy && self.random.chance(50) {
            self.change_phase();
        }
    }
}
