//! The program's files, and what they say about names.

use hirace_report::{Access, Position};
use hirace_syntax::tree::{Kind, Node};

use super::Syntax;
use crate::edit::Edit;

/// The program's files with the edits made so far.
pub(crate) struct Sources<'a>(pub Vec<Syntax<'a>>);

impl<'a> Sources<'a> {
    pub fn all(&self) -> impl Iterator<Item = &Syntax<'a>> {
        self.0.iter()
    }

    /// The file of an access.
    pub fn of(&self, access: &Access) -> Option<&Syntax<'a>> {
        self.at(&access.position)
    }

    /// The file of a place.
    pub fn at(&self, position: &Position) -> Option<&Syntax<'a>> {
        let file = position.file.as_deref()?;
        self.all().find(|it| it.file == file)
    }

    /// The text of an edit, in Markdown, with its place where the program has several files.
    pub fn quoted(&self, edit: &Edit) -> String {
        let text = edit.text.trim_end_matches(';');
        let file = self.all().find(|it| it.file == edit.file);
        match file.filter(|it| it.is_one_of_many) {
            Some(file) => format!("`{text}` on {}", file.place(edit.range.start)),
            None => format!("`{text}`"),
        }
    }

    /// The definitions of the functions called `name`.
    pub fn definitions(&self, name: &str) -> impl Iterator<Item = (&Syntax<'a>, Node<'_>)> {
        let files = self.all().filter(move |it| it.defines(name));
        files.flat_map(move |syntax| {
            let named = move |it: &Node<'_>| syntax.name(*it) == Some(name);
            syntax.functions().filter(named).map(move |it| (syntax, it))
        })
    }

    /// Whether all members of classes called `name`, of which there is one, are pointers.
    pub fn has_pointer_member(&self, name: &str) -> bool {
        let mut found = self.members(name).map(|(syntax, it)| {
            let text = syntax.node_text(it);
            text.contains('*') && !text.contains(['[', '('])
        });
        found
            .next()
            .is_some_and(|first| first && found.all(|it| it))
    }

    /// Whether all members of classes called `name`, of which there is one, are arrays.
    pub fn has_array_member(&self, name: &str) -> bool {
        let mut found = self.members(name);
        let is_array = |(syntax, it): (&Syntax<'_>, Node<'_>)| syntax.node_text(it).contains('[');
        found.next().is_some_and(is_array) && found.all(is_array)
    }

    /// Whether a class has a member called `name` that each object has.
    pub fn has_member(&self, name: &str) -> bool {
        let mut members = self.members(name);
        members.any(|(syntax, it)| !it.has_storage_class("static", syntax.text))
    }

    fn members(&self, name: &str) -> impl Iterator<Item = (&Syntax<'a>, Node<'_>)> {
        self.all().flat_map(move |syntax| {
            let members = syntax.tree.root().descendants_of(Kind::FieldDeclaration);
            let named = members.filter(move |it| syntax.declares(*it, name));
            named.map(move |it| (syntax, it))
        })
    }

    /// The classes called `name`.
    pub fn classes(&self, name: &str) -> impl Iterator<Item = (&Syntax<'a>, Node<'_>)> {
        self.all()
            .flat_map(move |syntax| syntax.classes(name).map(move |it| (syntax, it)))
    }

    /// Whether all variables called `name`, of which there is one, are volatile.
    pub fn is_volatile(&self, name: &str) -> bool {
        let kinds = [
            Kind::Declaration,
            Kind::ParameterDeclaration,
            Kind::FieldDeclaration,
        ];
        let mut declarations = self.all().flat_map(|syntax| {
            let all = syntax.tree.root().descendants();
            let named = all.filter(|it| kinds.contains(&it.kind()) && syntax.declares(*it, name));
            named.map(|it| it.has_type_qualifier("volatile", syntax.text))
        });
        declarations.next() == Some(true) && declarations.all(|it| it)
    }

    /// The texts of the macros called `name`.
    pub fn macro_bodies(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let macros = self.all().flat_map(Syntax::macros);
        macros.filter(move |it| it.0 == name).map(|it| it.1)
    }
}
