//! Determines how macros behave in device code: rewrites their bodies and discards the result.

use std::collections::HashMap;

use crate::rewrite::{DeviceLinkage, MonitorAll, Options, Skip, Source};
use hirace_syntax::Defines;
use hirace_syntax::prepass::Prepass;

use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::macro_body::{Parsed, expression, is_pasted, parse};
use crate::rewrite::facts::macro_use::{Form, MacroUse, join};
use crate::rewrite::facts::pasted::PastedName;
use crate::rewrite::facts::{Facts, MacroText};
use crate::rewrite::role::Role;

impl Facts {
    /// Studies the bodies of all macros that device code uses.
    pub(crate) fn study_macros(&mut self) {
        let all = self.macros.values().flatten();
        self.pasted_names = all.flat_map(PastedName::of).collect();
        let mut names: Vec<String> = self.device_macros.iter().cloned().collect();
        names.sort();
        // Macros that use other macros depend on what was learnt about those.
        for _ in 0..3 {
            let mut found = Vec::new();
            for name in &names {
                let Some(definitions) = self.macros.get(name) else {
                    continue;
                };
                let all = definitions.iter().map(|it| self.study(name, it));
                if let Some(merged) = all.reduce(MacroUse::merge) {
                    found.push((name.clone(), merged));
                }
            }
            let mut changed = false;
            for (name, known) in found {
                changed |= self.macro_uses.get(&name) != Some(&known);
                self.macro_uses.insert(name, known);
            }
            if !changed {
                break;
            }
        }
    }

    fn study(&self, name: &str, definition: &MacroText) -> MacroUse {
        let prepass = Prepass::of_macro(&definition.body, &self.aliases);
        if let Some(known) = MacroUse::joining(definition) {
            return known;
        }
        let Some(parsed) = parse(&prepass.text, 0) else {
            let mut known = MacroUse::unknown(definition);
            if definition.body.trim().is_empty() {
                known.form = Form::Value;
            }
            return known;
        };
        let defines = Defines::new();
        let options = Options {
            backend: hirace_model::Backend::Cpu,
            numbering: hirace_model::table::Numbering::Given { base: 1, key: 0 },
            whole_program: false,
            linkage: DeviceLinkage::Unknown,
            location: None,
            selection: &MonitorAll,
            defines: &defines,
            skip: Skip::NOTHING,
            prelude: &[],
            describe: false,
        };
        let source = Source {
            path: "",
            text: &definition.body,
        };
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let mut rewriter = Rewriter::new(&source, &prepass, self, &options);
        let open = vec![Role::Locate; parameters.len()];
        rewriter.enter_macro(name, &prepass.text, 0, parameters, &open);
        rewriter.macro_body(&parsed, 0..prepass.text.len());
        let body = rewriter.body.take();
        let (used, declared) = body.map_or_else(Default::default, |it| (it.roles, it.declares));
        let position = |name: &String| parameters.iter().position(|it| it == name);
        let declares = declared.into_iter().map(|name| {
            let parameter = position(&name);
            (name, parameter)
        });
        let mut roles = roles_of(parameters, &used, rewriter.copied());
        let (form, objects) = match &parsed {
            Parsed::Statements(_) => (Form::Statements, Vec::new()),
            Parsed::Expression(tree) => {
                let node = expression(tree, 0, prepass.text.len());
                let objects = node.map_or_else(Vec::new, |it| rewriter.objects(it));
                let form = match objects.is_empty() {
                    true => Form::Value,
                    false => Form::Lvalue,
                };
                (form, objects)
            }
        };
        // A pasted or quoted parameter must reach the body unchanged.
        for (index, name) in parameters.iter().enumerate() {
            if is_pasted(&definition.body, name) {
                roles[index] = Role::Locate;
            }
        }
        MacroUse {
            form,
            objects,
            function_like: definition.parameters.is_some(),
            roles,
            declares: declares.collect(),
        }
    }
}

/// The role of each parameter, given all uses of each.
fn roles_of(parameters: &[String], uses: &HashMap<String, Vec<Role>>, copied: Role) -> Vec<Role> {
    let role_of = |name: &String| {
        let all = uses.get(name).into_iter().flatten();
        all.map(|role| plain(*role, copied)).reduce(join)
    };
    let roles = parameters.iter().map(role_of);
    roles.map(|it| it.unwrap_or(Role::Load)).collect()
}

/// The role that the argument gets.
fn plain(role: Role, copied: Role) -> Role {
    match role {
        Role::Load | Role::Base | Role::Argument | Role::Copy | Role::Taken => role,
        // The target is unknown where the macro is used.
        Role::Initializer | Role::Called => Role::Argument,
        Role::Assigned => copied,
        Role::Store | Role::StoreFrom | Role::Update | Role::Exchange | Role::Locate => {
            Role::Locate
        }
    }
}
