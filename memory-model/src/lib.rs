//! NVIDIA's memory model as a program: what may a small concurrent program do?

pub mod cat;
pub mod litmus;
pub mod relation;
