//! The C library as its users have it: programs in C, C++ and Python that are linked with, or load, what cargo
//! builds.

mod build;
mod cases;
mod header;
mod python;
