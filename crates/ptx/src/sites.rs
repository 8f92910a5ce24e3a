//! The sites of a program: where `.loc` says, or else the line of PTX.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use hirace_model::table::lines::Lines;
use hirace_model::table::{Notes, Table, Texts, digest, key_of};
use hirace_model::{Coverage, ResultUse, Site, SiteKind};

use crate::module::{Module, Position};
use crate::names;
use crate::plan::{self, Plan};

/// A site, by its file and its place among the sites of that file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteRef {
    file: usize,
    index: usize,
}

struct File {
    display: String,
    text: Option<String>,
    sites: Vec<Site>,
    base: u32,
    /// Whether it has a launch that is in a source. The compiled program does not know where: so launches from
    /// several places run one program.
    is_launch: bool,
}

/// What the compiled program has as the file of such launches, and of their arrays.
pub const LAUNCH: &str = "<launch>";

/// Where a site is.
pub(crate) enum Place {
    /// A range of the PTX file, and its line.
    Ptx(Range<usize>, u32),
    /// A position that `.loc` gives.
    Source(Position),
}

/// Collects the sites.
pub(crate) struct Sites {
    files: Vec<File>,
    /// The entries of `files` for the numbers of `.file`.
    numbers: HashMap<u32, usize>,
    launches: Vec<SiteRef>,
    /// Accesses to memory of one thread.
    pub private: usize,
    /// Accesses that the configuration leaves out.
    pub switched_off: usize,
}

const PTX: usize = 0;

impl Sites {
    pub fn new(path: &Path, name: &str, text: &str, module: &Module) -> Self {
        let mut out = Self {
            files: Vec::new(),
            numbers: HashMap::new(),
            launches: Vec::new(),
            private: 0,
            switched_off: 0,
        };
        out.file(name, Some(text.to_owned()));
        let mut numbers: Vec<_> = module.files.iter().collect();
        numbers.sort();
        for (number, given) in numbers {
            let found = find(Path::new(given), path);
            let text = found
                .as_ref()
                .and_then(|it| std::fs::read_to_string(it).ok());
            let display = found.map_or_else(|| given.clone(), |it| display_path(&it));
            let index = out.file(&display, text);
            out.numbers.insert(*number, index);
        }
        out
    }

    fn file(&mut self, display: &str, text: Option<String>) -> usize {
        let is_known = |it: &File| it.display == display && !it.is_launch;
        if let Some(known) = self.files.iter().position(is_known) {
            return known;
        }
        self.files.push(File {
            display: display.to_owned(),
            text,
            sites: Vec::new(),
            base: 0,
            is_launch: false,
        });
        self.files.len() - 1
    }

    /// The file that `.file` gives a number, if it has one.
    pub fn path_of(&self, number: u32) -> Option<&str> {
        let index = *self.numbers.get(&number)?;
        Some(&self.files[index].display)
    }

    /// Adds the launches of a plan.
    pub fn launches(&mut self, plan: &Plan) {
        let (name, text) = &plan.file;
        for launch in &plan.launches {
            let (file, range, line, column) = match &launch.at {
                plan::Place::Here(span) => {
                    let (line, column) = position(text, span.start);
                    let file = self.file(name, Some(text.clone()));
                    (file, span.clone(), line, column)
                }
                plan::Place::Source(path, line) => {
                    let path = Path::new(path);
                    let text = std::fs::read_to_string(path).ok();
                    let (range, column) =
                        text.as_deref().map_or((0..0, 1), |it| statement(it, *line));
                    self.files.push(File {
                        display: display_path(path),
                        text,
                        sites: Vec::new(),
                        base: 0,
                        is_launch: true,
                    });
                    (self.files.len() - 1, range, *line, column)
                }
            };
            let text = self.files[file].text.as_deref();
            let text = text
                .and_then(|it| it.get(range.clone()))
                .unwrap_or("")
                .to_owned();
            let sites = &mut self.files[file].sites;
            self.launches.push(SiteRef {
                file,
                index: sites.len(),
            });
            sites.push(Site {
                text,
                range,
                line,
                column,
                variable: names::plain(&launch.kernel),
                function: String::new(),
                kind: SiteKind::Launch,
                result: ResultUse::Used,
            });
        }
    }

    /// The site of the launch with this number.
    pub fn launch(&self, number: usize) -> String {
        self.id(self.launches[number])
    }

    /// Adds a site of a function.
    pub fn add(
        &mut self,
        place: Place,
        kind: SiteKind,
        text: String,
        variable: &str,
        function: &str,
    ) -> SiteRef {
        let (file, range, line, column) = match place {
            Place::Ptx(range, line) => {
                let text = self.files[PTX].text.as_deref().unwrap_or("");
                let column = position(text, range.start).1;
                (PTX, range, line, column)
            }
            Place::Source(at) => {
                let file = self.numbers.get(&at.file).copied().unwrap_or(PTX);
                let column = at.column.max(1);
                let text = self.files[file].text.as_deref();
                let found = text.map(|it| expression(it, at.line, column));
                let (range, column) = found.unwrap_or((0..0, column));
                (file, range, at.line, column)
            }
        };
        let sites = &mut self.files[file].sites;
        sites.push(Site {
            range,
            line,
            column,
            text,
            variable: variable.to_owned(),
            function: function.to_owned(),
            kind,
            result: ResultUse::Used,
        });
        SiteRef {
            file,
            index: sites.len() - 1,
        }
    }

    /// Gives all sites numbers, from `base` on.
    pub fn number(&mut self, base: u32) {
        let mut next = base;
        for file in &mut self.files {
            file.base = next;
            next += u32::try_from(file.sites.len()).unwrap_or(0);
        }
    }

    /// The number of a site as C++.
    pub fn id(&self, site: SiteRef) -> String {
        literal(self.files[site.file].base, site.index)
    }

    /// The tables of all files.
    pub fn tables(&self, module: &Module) -> Vec<Table> {
        let mut tables = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let text = file.text.as_deref().unwrap_or("");
            let accesses =
                |it: &&Site| !matches!(it.kind, SiteKind::Sync | SiteKind::Launch | SiteKind::Call);
            let mut notes = Notes {
                digest: digest(text),
                location: std::path::absolute(&file.display)
                    .ok()
                    .map(|it| it.display().to_string()),
                coverage: Coverage {
                    monitored: file.sites.iter().filter(accesses).count(),
                    ..Coverage::default()
                },
                ..Notes::default()
            };
            if number == PTX {
                notes.kernels = module.kernels().map(|it| names::plain(&it.name)).collect();
                notes.coverage.private = self.private;
                notes.coverage.switched_off = self.switched_off;
                let bodies = module.functions.iter().filter(|it| it.body.is_some());
                notes.coverage.functions = bodies.count();
            } else if file.sites.is_empty() {
                continue;
            }
            tables.push(Table {
                path: file.display.clone(),
                base: file.base,
                key: match file.is_launch {
                    // Each launch has a table.
                    true => key_of(digest(&format!("{LAUNCH} {number}"))),
                    false => key_of(digest(&file.display) ^ digest(text).rotate_left(1)),
                },
                sites: file.sites.clone(),
                notes,
            });
        }
        tables
    }

    /// The tables that the program carries: those of [`Self::tables`] without the places of launches.
    pub fn carried(&self, tables: &[Table]) -> Vec<Table> {
        let is_launch = |it: &Table| {
            let mut launches = self.files.iter().filter(|it| it.is_launch);
            launches.any(|file| file.base == it.base)
        };
        let carried = tables.iter().map(|table| match is_launch(table) {
            true => Table {
                path: LAUNCH.to_owned(),
                sites: table.sites.iter().map(without_place).collect(),
                notes: Notes::default(),
                ..table.clone()
            },
            false => table.clone(),
        });
        carried.collect()
    }

    /// The texts of the files that were found.
    pub fn into_texts(self) -> Texts {
        let files = self.files.into_iter();
        files
            .filter_map(|it| Some((it.display, it.text?)))
            .collect()
    }
}

fn without_place(site: &Site) -> Site {
    Site {
        range: 0..0,
        line: 0,
        column: 0,
        text: String::new(),
        ..site.clone()
    }
}

fn literal(base: u32, index: usize) -> String {
    let index = u32::try_from(index).unwrap_or(0);
    format!("0x{:08x}u", base + index)
}

/// The file that a path of `.file` names: as it is, or beside the PTX file.
fn find(given: &Path, ptx: &Path) -> Option<PathBuf> {
    let beside = ptx.parent().map(|it| it.join(given));
    let by_name = given
        .file_name()
        .and_then(|name| Some(ptx.parent()?.join(name)));
    [Some(given.to_owned()), beside, by_name]
        .into_iter()
        .flatten()
        .find(|it| it.is_file())
}

/// A path as the user would write it.
pub(crate) fn display_path(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let short = here.as_ref().and_then(|it| path.strip_prefix(it).ok());
    let short = short.unwrap_or(path).display().to_string();
    short.strip_prefix("./").unwrap_or(&short).to_owned()
}

/// The 1-based line and column of an offset.
pub(crate) fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let line = before.rsplit('\n').next().unwrap_or("");
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX - 1) + 1;
    (
        number(before.matches('\n').count()),
        number(line.chars().count()),
    )
}

/// The text of a line, and the column where it starts.
fn statement(text: &str, line: u32) -> (Range<usize>, u32) {
    let Some(start) = Lines::new(text).offset(line, 1) else {
        return (0..0, 1);
    };
    let rest = text[start..].lines().next().unwrap_or("");
    let indent = rest.len() - rest.trim_start().len();
    let range = start + indent..start + rest.trim_end().len().max(indent);
    (range, u32::try_from(indent).unwrap_or(0) + 1)
}

/// From a position to the end of the statement there, and its column. A compiler that knows only lines names the first
/// column.
fn expression(text: &str, line: u32, column: u32) -> (Range<usize>, u32) {
    let Some(start) = Lines::new(text).offset(line, column) else {
        return (0..0, column);
    };
    let rest = text[start..].lines().next().unwrap_or("");
    let rest = rest.split([';', '#']).next().unwrap_or("").trim_end();
    let indent = rest.len() - rest.trim_start().len();
    let column = column + u32::try_from(indent).unwrap_or(0);
    (start + indent..start + rest.len(), column)
}
