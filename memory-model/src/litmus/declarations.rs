//! The block of declarations: `{ x = 0; P1:r0 = 0; y @ generic aliases x; 0:.reg .b64 r1 = x; }`.

use std::collections::HashSet;

use hirace_model::error::Result;

use super::ast::{self, LocationId, Proxy, Span, Type, Value};
use super::cursor::Cursor;
use super::lexer::Kind;
use super::names::{Locations, ThreadName};
use super::source::Source;

/// A register with its initial content.
pub(super) struct Register<'s> {
    pub(super) thread: ThreadName<'s>,
    pub(super) name: &'s str,
    pub(super) initial: Initial,
    pub(super) span: Span,
}

/// The initial content of a register.
#[derive(Clone, Copy)]
pub(super) enum Initial {
    /// A number.
    Value(Value),
    /// The address of a location.
    Address(LocationId),
}

/// `name @ proxy aliases base`.
struct Alias<'s> {
    id: LocationId,
    proxy: Proxy,
    base: &'s str,
    span: Span,
}

/// Reads the declarations.
struct Reader<'c, 's> {
    cursor: &'c mut Cursor<'s>,
    locations: Locations,
    /// The locations that have a declaration.
    declared: HashSet<LocationId>,
    aliases: Vec<Alias<'s>>,
    registers: Vec<Register<'s>>,
}

/// Reads the block of declarations.
pub(super) fn parse<'s>(cursor: &mut Cursor<'s>) -> Result<(Locations, Vec<Register<'s>>)> {
    if !cursor.starts_with(&["{"]) {
        return Err(cursor.unexpected("the declarations, as in `{ x = 0; }`"));
    }
    cursor.advance();
    let mut reader = Reader {
        cursor,
        locations: Locations::default(),
        declared: HashSet::new(),
        aliases: Vec::new(),
        registers: Vec::new(),
    };
    while !reader.cursor.eat("}") {
        if reader.cursor.eat(";") {
            continue;
        }
        reader.entry()?;
        if !reader.cursor.starts_with(&["}"]) && !reader.cursor.eat(";") {
            return Err(reader.cursor.unexpected("`;` or `}` after the declaration"));
        }
    }
    reader.resolve_aliases()?;
    reader.check_registers()?;
    reader.locations.end_declarations();
    Ok((reader.locations, reader.registers))
}

impl<'s> Reader<'_, 's> {
    fn entry(&mut self) -> Result<()> {
        if self.cursor.starts_with(&["", ":"]) {
            return self.registers();
        }
        let value_type = self.value_type()?;
        let bracket = self.cursor.eat("[");
        let (name, span) = self
            .cursor
            .name("a declaration such as `x = 0` or `P0:r1 = 0`")?;
        if bracket {
            self.cursor.expect("]")?;
        }
        let id = self.locations.intern(name);
        if !self.declared.insert(id) {
            let message = format!("`{name}` is declared twice");
            return Err(self.cursor.source.error(span, message));
        }
        if let Some(value_type) = value_type {
            let source = self.cursor.source;
            self.locations.set_type(source, id, value_type, &span)?;
        }
        if self.cursor.eat("@") {
            let proxy = self.proxy()?;
            if !self.cursor.eat_keyword("aliases") {
                return Err(self.cursor.unexpected("`aliases`"));
            }
            self.alias(id, proxy, span)
        } else if self.cursor.eat_keyword("aliases") {
            self.alias(id, Proxy::Generic, span)
        } else if self.cursor.eat("=") {
            let (value, span) = self.initial_value()?;
            self.locations.list[id].initial = value;
            self.locations.initial_at.insert(id, span);
            Ok(())
        } else {
            Ok(())
        }
    }

    /// Reads `int` in `int x = 1`, but not a location called `int`.
    fn value_type(&mut self) -> Result<Option<Type>> {
        let followed = match self.cursor.rest() {
            [_, next, ..] => matches!(next.kind, Kind::Word(_) | Kind::Sign("[")),
            _ => false,
        };
        let Some(word) = self.cursor.peek_keyword().filter(|_| followed) else {
            return Ok(None);
        };
        let found = match word.as_str() {
            "int" | "int32_t" => Some(Type::signed(32)),
            "uint" | "uint32_t" | "unsigned" => Some(Type::unsigned(32)),
            "long" | "int64_t" => Some(Type::signed(64)),
            "uint64_t" => Some(Type::unsigned(64)),
            "short" | "int16_t" => Some(Type::signed(16)),
            "uint16_t" => Some(Type::unsigned(16)),
            "char" | "int8_t" => Some(Type::signed(8)),
            "uint8_t" => Some(Type::unsigned(8)),
            word => Type::parse(word.trim_start_matches('.')),
        };
        if found.is_some() {
            self.cursor.advance();
        } else if word.starts_with('.') || matches!(word.as_str(), "float" | "double" | "half") {
            let message = format!("the type `{word}` is not supported");
            let help = "locations hold integers, such as int, uint64_t or .u8";
            let span = self.cursor.here();
            return Err(self.cursor.source.error_with_help(span, message, help));
        }
        Ok(found)
    }

    fn initial_value(&mut self) -> Result<(Value, Span)> {
        let span = self.cursor.here();
        if let Some(Kind::Word(_)) = self.cursor.peek() {
            let help = "assign the address to a register: `P0:r1 = x`";
            let message = "the initial value of a location is a number";
            return Err(self.cursor.source.error_with_help(span, message, help));
        }
        self.cursor.number("a number")
    }

    fn proxy(&mut self) -> Result<Proxy> {
        let word = self.cursor.peek_keyword();
        let proxy = word.and_then(|it| Proxy::named(&it)).ok_or_else(|| {
            let expected = "a proxy: `generic`, `surface`, `texture` or `constant`";
            self.cursor.unexpected(expected)
        })?;
        self.cursor.advance();
        Ok(proxy)
    }

    fn alias(&mut self, id: LocationId, proxy: Proxy, span: Span) -> Result<()> {
        let (base, _) = self.cursor.name("the location that it aliases")?;
        if self.cursor.starts_with(&["="]) {
            let message = format!("an alias has no initial value of its own: give it to `{base}`");
            return Err(self.cursor.source.error(self.cursor.here(), message));
        }
        self.aliases.push(Alias {
            id,
            proxy,
            base,
            span,
        });
        Ok(())
    }

    /// `0:r1 = 0` or `0:.reg .b64 r1 = x, r2`.
    fn registers(&mut self) -> Result<()> {
        let thread = ThreadName::read(self.cursor)?;
        self.cursor.expect(":")?;
        let mut value_type = Type::S64;
        if self.cursor.eat_keyword(".reg") {
            const TYPES: &str = ".pred .b8 .b16 .b32 .b64 .s8 .s16 .s32 .s64 .u8 .u16 .u32 .u64";
            let word = self.cursor.peek_keyword().unwrap_or_default();
            if !TYPES.split(' ').any(|name| name == word) {
                return Err(self
                    .cursor
                    .unexpected("an integer type such as `.s32` or `.b64`"));
            }
            value_type = Type::parse(&word[1..]).unwrap_or(value_type);
            self.cursor.advance();
        }
        loop {
            let (name, span) = self.cursor.name("a register")?;
            let initial = match self.cursor.eat("=") {
                true => self.initial_content(value_type)?,
                false => Initial::Value(0),
            };
            self.registers.push(Register {
                thread: thread.clone(),
                name,
                initial,
                span: span.start..self.cursor.last_end(),
            });
            if !self.cursor.eat(",") {
                return Ok(());
            }
        }
    }

    fn initial_content(&mut self, value_type: Type) -> Result<Initial> {
        if self.cursor.eat("&") || matches!(self.cursor.peek(), Some(Kind::Word(_))) {
            let (location, _) = self.cursor.name("a location")?;
            return Ok(Initial::Address(self.locations.intern(location)));
        }
        let (number, span) = self.cursor.number("a number or a location")?;
        if !value_type.holds(number) {
            let message = format!(
                "{number} is not a number of the type .{}",
                value_type.name()
            );
            return Err(self.cursor.source.error(span, message));
        }
        Ok(Initial::Value(value_type.fit(number)))
    }

    /// Follows chains of aliases: to the location at the end, and to the last name that has a virtual
    /// address of its own.
    fn resolve_aliases(&mut self) -> Result<()> {
        let mut targets = Vec::new();
        for alias in &self.aliases {
            targets.push((alias.id, alias.proxy, self.locations.intern(alias.base)));
        }
        let mut next = vec![None; self.locations.list.len()];
        for (id, proxy, base) in targets {
            next[id] = Some((proxy, base));
        }
        for alias in &self.aliases {
            let (mut memory, mut address) = (alias.id, None);
            for _ in 0..=self.aliases.len() {
                let Some((proxy, base)) = next[memory] else {
                    break;
                };
                if proxy == Proxy::Generic {
                    address.get_or_insert(memory);
                }
                memory = base;
            }
            if next[memory].is_some() {
                let name = &self.locations.list[alias.id].name;
                let message = format!("`{name}` is an alias of itself");
                return Err(self.cursor.source.error(alias.span.clone(), message));
            }
            let initial = self.locations.list[memory].initial;
            let location = &mut self.locations.list[alias.id];
            location.alias = Some(ast::Alias {
                proxy: alias.proxy,
                memory,
                address: address.unwrap_or(memory),
            });
            location.initial = initial;
        }
        Ok(())
    }

    fn check_registers(&self) -> Result<()> {
        let source: &Source<'_> = self.cursor.source;
        for register in &self.registers {
            if self.locations.find(register.name).is_some() {
                let message = format!("`{}` is both a location and a register", register.name);
                return Err(source.error(register.span.clone(), message));
            }
        }
        Ok(())
    }
}
