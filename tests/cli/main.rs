//! The `hirace` command as users see it: exit statuses, messages, files.

mod bad_input;
mod cache;
mod commands;
mod comparison;
mod conversion;
mod coverage;
mod doctor;
mod explore;
mod fix;
mod fsm;
mod harness;
mod indigo;
mod instrument;
mod interrupts;
mod litmus;
mod options;
mod own_text;
mod pages;
mod predict;
mod programs;
mod ptx;
mod reports;
mod run;
mod same_values;
mod streams;
mod suppressions;
