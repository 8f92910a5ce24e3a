//! Which of the program's functions a call means, by the names of functions and classes ([basic.lookup]).
//!
//! A parameter by value reads its argument at the call, one by reference does not: a function that the call cannot mean
//! must not decide.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::Signature;
use crate::rewrite::names::bare_name;

/// The functions of a name that a call may mean.
pub(crate) enum Whose {
    /// Those outside of classes.
    Nobody,
    /// Methods, of this class if it is known.
    Method(Option<String>),
    Any,
}

impl Rewriter<'_> {
    /// What a call names through `callee`, by the rules of [basic.lookup]. Text of macros is looked up where they are
    /// used.
    pub(crate) fn whose(&self, callee: Node<'_>) -> Whose {
        if callee.is(Kind::FieldExpression) {
            return Whose::Method(self.class_of_object(callee));
        }
        let is_name = matches!(
            callee.kind(),
            Kind::Identifier | Kind::QualifiedIdentifier | Kind::TemplateFunction
        );
        if self.body.is_some() || !is_name {
            return Whose::Any;
        }
        let (name, scope) = split_name(callee, self.source);
        if let Some(scope) = scope {
            let is_namespace = !self.facts.is_type(&scope) && self.scopes.get(&scope).is_none();
            return match self.facts.class_with_method(&scope, &name) {
                Some(class) => Whose::Method(Some(class.to_owned())),
                None if is_namespace => Whose::Nobody,
                None => Whose::Any,
            };
        }
        let enclosing = self.enclosing.class.iter().chain(&self.classes);
        let mut known = enclosing.clone();
        match known.find_map(|it| self.facts.class_with_method(it, &name)) {
            Some(class) => Whose::Method(Some(class.to_owned())),
            None if enclosing.count() == 0 => Whose::Nobody,
            None => Whose::Any,
        }
    }

    /// The class of `x` in `x.f`, or of what `x` points to in `x->f`, if it has such a method.
    fn class_of_object(&self, member: Node<'_>) -> Option<String> {
        let object = member.child(Field::Argument)?;
        let class = match object.is(Kind::This) {
            true => self.enclosing.class.clone()?,
            false => {
                let is_pointer = self.shape(object).pointers > 0;
                let arrow = member.operator(self.source) == "->";
                let text = self.type_text(object).filter(|_| is_pointer == arrow)?;
                bare_name(&text).to_owned()
            }
        };
        let is_parameter = self.scopes.get(&class).is_some();
        let name = self.method_name(member);
        let class = self.facts.class_with_method(&class, &name)?;
        (!is_parameter).then(|| class.to_owned())
    }

    /// Whether a call may mean a function, wherever it is declared.
    fn admits(&self, whose: &Whose, function: &Signature) -> bool {
        match whose {
            Whose::Any => true,
            Whose::Nobody => !self.facts.is_method(function),
            Whose::Method(None) => self.facts.is_method(function),
            Whose::Method(class) => !function.is_friend && function.class == *class,
        }
    }

    /// Whether the file may see a function's declaration. What macros do is studied without a file.
    fn sees(&self, function: &Signature) -> bool {
        let file = function.file.as_deref();
        self.path.is_empty() || file.is_none_or(|it| it == self.path)
    }

    /// Whether a call of `name` through `callee` may mean a function of the program, whatever its parameters.
    pub(crate) fn may_be_users(&self, callee: Node<'_>, name: &str) -> bool {
        let whose = self.whose(callee);
        let mut all = self.facts.functions_called(name);
        all.any(|it| self.admits(&whose, it) && self.sees(it))
    }

    /// The known functions that a call of `name` may mean: those that `whose` admits, in the files that this one is
    /// known to include, if there are any.
    pub(crate) fn candidates_of(&self, name: &str, count: usize, whose: &Whose) -> Vec<&Signature> {
        let all = self.candidates(name, count);
        let admitted = all.iter().copied().filter(|it| self.admits(whose, it));
        let seen: Vec<&Signature> = admitted.clone().filter(|it| self.sees(it)).collect();
        if !seen.is_empty() {
            return seen;
        }
        let kept: Vec<&Signature> = admitted.collect();
        // A name outside of classes means no method, but perhaps a constructor; anything else may be unseen.
        let is_unseen = matches!(whose, Whose::Nobody) && !self.facts.classes.contains_key(name);
        match kept.is_empty() && !is_unseen {
            true => all,
            false => kept,
        }
    }

    /// All known functions of a name that take so many arguments.
    pub(crate) fn candidates(&self, name: &str, count: usize) -> Vec<&Signature> {
        let all = self.facts.functions_called(name);
        all.filter(|it| it.accepts(count)).collect()
    }
}
