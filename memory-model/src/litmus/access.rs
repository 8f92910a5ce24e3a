//! Memory accesses: loads, stores and read-modify-writes.

use hirace_model::error::{Error, Result};

use super::ast::{Address, Instruction, MemoryOperation, Order, Proxy, Scope, Span, Type};
use super::context::Context;
use super::instructions::MOV;
use super::modifiers::{self, Extra, Modifiers, Space};
use super::statement::{Raw, RawKind, Statement};

/// `ld` and the loads by other proxies.
pub(super) fn load(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    proxy: Proxy,
) -> Result<Instruction> {
    let extra = match proxy {
        Proxy::Generic => Extra::Load,
        Proxy::Surface | Proxy::Texture | Proxy::Constant => Extra::Nothing,
    };
    let modifiers = modifiers::parse(statement, extra)?;
    if let (Proxy::Generic, [target, from]) = (proxy, statement.operands.as_slice())
        && let RawKind::Number(_) = from.kind
    {
        return load_constant(context, &modifiers, target, from);
    }
    let is_constant = matches!(modifiers.space, Some((Space::Constant, _)));
    let proxy = if is_constant { Proxy::Constant } else { proxy };
    let (order, scope) = strength(context, statement, &modifiers)?;
    if matches!(proxy, Proxy::Texture | Proxy::Constant) && order != Order::Weak {
        let space = if is_constant { ".const" } else { "" };
        let message = format!("`{}{space}` is always weak", statement.opcode);
        return Err(at_order(context, &modifiers, &message));
    }
    if matches!(order, Order::Release | Order::AcqRel) {
        let message = "a load is weak, relaxed, acquire or volatile: it cannot release";
        return Err(at_order(context, &modifiers, message));
    }
    let [target, address] = statement.operands("register, address")?;
    Ok(Instruction::Load {
        target: context.target(target)?,
        operation: operation(context, &modifiers, (order, scope), proxy, address)?,
    })
}

/// `ld r0, 1`, which some tools write for `mov r0, 1`. It accesses no memory, so that nothing but a
/// type has a meaning.
fn load_constant(
    context: &mut Context<'_, '_>,
    modifiers: &Modifiers,
    target: &Raw<'_>,
    from: &Raw<'_>,
) -> Result<Instruction> {
    let Modifiers {
        order,
        scope,
        space,
        cache,
        ..
    } = modifiers;
    let order = order.as_ref().filter(|it| it.0 != Order::Weak);
    let spans = [
        order.map(|it| &it.1),
        scope.as_ref().map(|it| &it.1),
        space.as_ref().map(|it| &it.1),
        cache.as_ref().map(|it| &it.1),
    ];
    if let Some(span) = spans.into_iter().flatten().next() {
        let message = "this loads a constant, which is not in memory";
        let help = "write `ld` or `mov` with no modifier but a type";
        return Err(context.source.error_with_help(span.clone(), message, help));
    }
    Ok(Instruction::Arithmetic {
        op: &MOV,
        value_type: modifiers.value_type.as_ref().map_or(Type::S64, |it| it.0),
        target: context.target(target)?,
        operands: vec![context.value(from)?],
    })
}

/// `st` and the store by the surface proxy.
pub(super) fn store(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    proxy: Proxy,
) -> Result<Instruction> {
    let extra = match proxy {
        Proxy::Generic => Extra::Store,
        Proxy::Surface | Proxy::Texture | Proxy::Constant => Extra::Nothing,
    };
    let modifiers = modifiers::parse(statement, extra)?;
    let (order, scope) = strength(context, statement, &modifiers)?;
    if matches!(order, Order::Acquire | Order::AcqRel) {
        let message = "a store is weak, relaxed, release or volatile: it cannot acquire";
        return Err(at_order(context, &modifiers, message));
    }
    let [address, value] = statement.operands("address, value")?;
    Ok(Instruction::Store {
        operation: operation(context, &modifiers, (order, scope), proxy, address)?,
        value: context.value(value)?,
    })
}

/// `atom`, which returns the old value, or `red`, and both by the surface proxy.
pub(super) fn atomic(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    proxy: Proxy,
    returns: bool,
) -> Result<Instruction> {
    let source = context.source;
    let extra = match proxy {
        Proxy::Generic => Extra::Op,
        Proxy::Surface | Proxy::Texture | Proxy::Constant => Extra::OpOnly,
    };
    let mut modifiers = modifiers::parse(statement, extra)?;
    let Some((op, _)) = modifiers.op else {
        let message = format!("`{}` needs an operation such as `.add`", statement.opcode);
        return Err(source.error(statement.opcode_span.clone(), message));
    };
    if let Some(only) = op.only {
        let span = statement.opcode_span.clone();
        modifiers.value_type.get_or_insert((only, span));
    }
    let order = modifiers.order.as_ref().map_or(Order::Relaxed, |it| it.0);
    if matches!(order, Order::Weak | Order::Volatile) {
        let message = "an atomic operation is relaxed, acquire, release or acq_rel";
        return Err(at_order(context, &modifiers, message));
    }
    let scope = modifiers.scope.as_ref().map_or(Scope::Gpu, |it| it.0);
    let first: &[&str] = match returns {
        true => &["register", "address"],
        false => &["address"],
    };
    let expected = [first, op.operands].concat();
    if statement.operands.len() != expected.len() {
        return Err(statement.wrong_count(expected.len(), &expected.join(", ")));
    }
    let (first, values) = statement.operands.split_at(first.len());
    let target = match first {
        [target, _] => Some(context.target(target)?),
        _ => None,
    };
    let address = &first[first.len() - 1];
    let strength = (order, Some(scope));
    let operation = operation(context, &modifiers, strength, proxy, address)?;
    let values = values.iter().map(|it| context.value(it));
    Ok(Instruction::Atomic {
        operation,
        op,
        target,
        operands: values.collect::<Result<_>>()?,
    })
}

fn operation(
    context: &mut Context<'_, '_>,
    modifiers: &Modifiers,
    (order, scope): (Order, Option<Scope>),
    proxy: Proxy,
    address: &Raw<'_>,
) -> Result<MemoryOperation> {
    let span = &address.span;
    let address = context.address(address)?;
    check_location(context, &address, span, proxy, modifiers)?;
    Ok(MemoryOperation {
        order,
        scope,
        proxy,
        value_type: modifiers.value_type.as_ref().map(|it| it.0),
        address,
    })
}
/// The order and the scope of a load or store.
fn strength(
    context: &Context<'_, '_>,
    statement: &Statement<'_>,
    modifiers: &Modifiers,
) -> Result<(Order, Option<Scope>)> {
    let source = context.source;
    let order = modifiers.order.as_ref().map_or(Order::Weak, |it| it.0);
    if let (Some((_, span)), true) = (&modifiers.cache, order != Order::Weak) {
        let message = "only a weak access has a cache operator";
        return Err(source.error(span.clone(), message));
    }
    match (order, &modifiers.scope) {
        (Order::Weak, None) => Ok((order, None)),
        (Order::Volatile, None) => Ok((order, Some(Scope::Sys))),
        (Order::Weak, Some((_, span))) => {
            let message = "a weak access has no scope";
            let opcode = &statement.opcode;
            let help = format!("give an order too, as in `{opcode}.relaxed`, or remove the scope");
            Err(source.error_with_help(span.clone(), message, help))
        }
        (Order::Volatile, Some((_, span))) => {
            let message = "a volatile access has no scope of its own: it is always `.sys`";
            Err(source.error(span.clone(), message))
        }
        (_, Some((scope, _))) => Ok((order, Some(*scope))),
        (_, None) => {
            let message = "a strong access needs a scope: `.cta`, `.cluster`, `.gpu` or `.sys`";
            Err(at_order(context, modifiers, message))
        }
    }
}

/// A mistake in the order, which the text gives.
fn at_order(context: &Context<'_, '_>, modifiers: &Modifiers, message: &str) -> Error {
    let order = modifiers.order.as_ref();
    let span = order.map_or(0..0, |(_, span)| span.clone());
    context.source.error(span, message)
}

/// Compares the location's proxy, state space and size with the instruction's.
fn check_location(
    context: &mut Context<'_, '_>,
    address: &Address,
    span: &Span,
    proxy: Proxy,
    modifiers: &Modifiers,
) -> Result<()> {
    let Address::Location(id) = *address else {
        return Ok(());
    };
    let location = &context.locations.list[id];
    if let Some(declared) = location.alias.map(|it| it.proxy)
        && declared != Proxy::Generic
        && declared != proxy
    {
        let (name, proxy) = (&location.name, declared.name());
        let message = format!("`{name}` is a {proxy} alias, which this instruction cannot access");
        let help = match declared {
            Proxy::Surface => "use `suld`, `sust`, `suatom` or `sured`",
            Proxy::Texture => "use `tld` or `tex`",
            Proxy::Constant | Proxy::Generic => "use `cold`, `ldc` or `ld.const`",
        };
        return Err(context.source.error_with_help(span.clone(), message, help));
    }
    if let Some((space @ (Space::Shared | Space::Global), span)) = &modifiers.space {
        let shared = *space == Space::Shared;
        context
            .locations
            .set_space(context.source, id, shared, span)?;
    }
    if let Some((value_type, span)) = &modifiers.value_type {
        context
            .locations
            .set_type(context.source, id, *value_type, span)?;
    }
    Ok(())
}
