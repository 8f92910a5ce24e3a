//! Compilers wrapped by hirace, called as build systems call them.

mod ci;
mod docs;
mod executor;
mod extensions;
mod harness;
mod nvcc;
mod projects;
mod workflow;
