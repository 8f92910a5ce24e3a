//! The syntax tree, copied out of tree-sitter into one flat array.
//!
//! This is the only place that names tree-sitter's types. The copy makes
//! parents, siblings and fields cheap to reach and gives kinds an enum.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::OnceLock;

/// Declares an enum and the table from the grammar's names to it.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident, $lookup:ident: $($variant:ident = $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum $name { $(#[doc = $text] $variant,)* /// Any other.
            Other }
        fn $lookup(text: &str) -> $name {
            match text { $($text => $name::$variant,)* _ => $name::Other }
        }
    };
}

names! {
    /// What a node is.
    Kind, kind_named:
    AbstractArrayDeclarator = "abstract_array_declarator",
    AbstractFunctionDeclarator = "abstract_function_declarator",
    AbstractParenthesizedDeclarator = "abstract_parenthesized_declarator",
    AbstractPointerDeclarator = "abstract_pointer_declarator",
    AbstractReferenceDeclarator = "abstract_reference_declarator",
    AliasDeclaration = "alias_declaration",
    AlignofExpression = "alignof_expression",
    ArgumentList = "argument_list",
    ArrayDeclarator = "array_declarator",
    AssignmentExpression = "assignment_expression",
    AttributedDeclarator = "attributed_declarator",
    AttributedStatement = "attributed_statement",
    BaseClassClause = "base_class_clause",
    BinaryExpression = "binary_expression",
    BitfieldClause = "bitfield_clause",
    CallExpression = "call_expression",
    CaseStatement = "case_statement",
    CastExpression = "cast_expression",
    CatchClause = "catch_clause",
    ClassSpecifier = "class_specifier",
    CommaExpression = "comma_expression",
    CompoundLiteralExpression = "compound_literal_expression",
    CompoundStatement = "compound_statement",
    ConceptDefinition = "concept_definition",
    ConditionClause = "condition_clause",
    ConditionalExpression = "conditional_expression",
    Declaration = "declaration",
    DeclarationList = "declaration_list",
    Decltype = "decltype",
    DeleteExpression = "delete_expression",
    DependentName = "dependent_name",
    DependentType = "dependent_type",
    DestructorName = "destructor_name",
    DoStatement = "do_statement",
    ElseClause = "else_clause",
    EnumSpecifier = "enum_specifier",
    Enumerator = "enumerator",
    EnumeratorList = "enumerator_list",
    Error = "ERROR",
    ExpressionStatement = "expression_statement",
    ExtensionExpression = "extension_expression",
    FieldDeclaration = "field_declaration",
    FieldDeclarationList = "field_declaration_list",
    FieldExpression = "field_expression",
    FieldIdentifier = "field_identifier",
    FieldInitializer = "field_initializer",
    FieldInitializerList = "field_initializer_list",
    FoldExpression = "fold_expression",
    ForRangeLoop = "for_range_loop",
    ForStatement = "for_statement",
    FriendDeclaration = "friend_declaration",
    FunctionDeclarator = "function_declarator",
    FunctionDefinition = "function_definition",
    GenericExpression = "generic_expression",
    GnuAsmExpression = "gnu_asm_expression",
    GnuAsmInputOperand = "gnu_asm_input_operand",
    GnuAsmOutputOperand = "gnu_asm_output_operand",
    Identifier = "identifier",
    IfStatement = "if_statement",
    InitDeclarator = "init_declarator",
    InitStatement = "init_statement",
    InitializerList = "initializer_list",
    InitializerPair = "initializer_pair",
    KernelCallSyntax = "kernel_call_syntax",
    LabeledStatement = "labeled_statement",
    LambdaCaptureInitializer = "lambda_capture_initializer",
    LambdaCaptureSpecifier = "lambda_capture_specifier",
    LambdaDeclarator = "lambda_declarator",
    LambdaDefaultCapture = "lambda_default_capture",
    LambdaExpression = "lambda_expression",
    LinkageSpecification = "linkage_specification",
    NamespaceDefinition = "namespace_definition",
    NamespaceIdentifier = "namespace_identifier",
    NestedNamespaceSpecifier = "nested_namespace_specifier",
    NewExpression = "new_expression",
    Noexcept = "noexcept",
    Null = "null",
    NumberLiteral = "number_literal",
    OffsetofExpression = "offsetof_expression",
    OperatorCast = "operator_cast",
    OperatorName = "operator_name",
    OptionalParameterDeclaration = "optional_parameter_declaration",
    OptionalTypeParameterDeclaration = "optional_type_parameter_declaration",
    ParameterDeclaration = "parameter_declaration",
    ParameterList = "parameter_list",
    ParameterPackExpansion = "parameter_pack_expansion",
    ParenthesizedDeclarator = "parenthesized_declarator",
    ParenthesizedExpression = "parenthesized_expression",
    PlaceholderTypeSpecifier = "placeholder_type_specifier",
    PointerDeclarator = "pointer_declarator",
    PointerExpression = "pointer_expression",
    PrimitiveType = "primitive_type",
    QualifiedIdentifier = "qualified_identifier",
    ReferenceDeclarator = "reference_declarator",
    RequiresClause = "requires_clause",
    RequiresExpression = "requires_expression",
    ReturnStatement = "return_statement",
    SizedTypeSpecifier = "sized_type_specifier",
    SizeofExpression = "sizeof_expression",
    StaticAssertDeclaration = "static_assert_declaration",
    StorageClassSpecifier = "storage_class_specifier",
    StringLiteral = "string_literal",
    StructSpecifier = "struct_specifier",
    StructuredBindingDeclarator = "structured_binding_declarator",
    SubscriptArgumentList = "subscript_argument_list",
    SubscriptExpression = "subscript_expression",
    SwitchStatement = "switch_statement",
    TemplateArgumentList = "template_argument_list",
    TemplateDeclaration = "template_declaration",
    TemplateFunction = "template_function",
    TemplateInstantiation = "template_instantiation",
    TemplateMethod = "template_method",
    TemplateParameterList = "template_parameter_list",
    TemplateTemplateParameterDeclaration = "template_template_parameter_declaration",
    TemplateType = "template_type",
    This = "this",
    TrailingReturnType = "trailing_return_type",
    TranslationUnit = "translation_unit",
    TryStatement = "try_statement",
    TypeDefinition = "type_definition",
    TypeDescriptor = "type_descriptor",
    TypeIdentifier = "type_identifier",
    TypeParameterDeclaration = "type_parameter_declaration",
    TypeQualifier = "type_qualifier",
    UnaryExpression = "unary_expression",
    UnionSpecifier = "union_specifier",
    UpdateExpression = "update_expression",
    UserDefinedLiteral = "user_defined_literal",
    UsingDeclaration = "using_declaration",
    VariadicDeclarator = "variadic_declarator",
    VariadicParameterDeclaration = "variadic_parameter_declaration",
    VariadicTypeParameterDeclaration = "variadic_type_parameter_declaration",
    WhileStatement = "while_statement",
}

names! {
    /// The part that a node plays in its parent.
    Field, field_named:
    Alternative = "alternative",
    Argument = "argument",
    Arguments = "arguments",
    AssemblyCode = "assembly_code",
    Body = "body",
    Captures = "captures",
    Condition = "condition",
    Consequence = "consequence",
    Declarator = "declarator",
    DefaultType = "default_type",
    DefaultValue = "default_value",
    Member = "field",
    Function = "function",
    Indices = "indices",
    Initializer = "initializer",
    Left = "left",
    Name = "name",
    Operator = "operator",
    Parameters = "parameters",
    Pattern = "pattern",
    Placement = "placement",
    Right = "right",
    Scope = "scope",
    Size = "size",
    Type = "type",
    Update = "update",
    Value = "value",
}

pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Data {
    pub(super) kind: Kind,
    pub(super) field: Field,
    pub(super) named: bool,
    pub(super) error: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) parent: u32,
    pub(super) first: u32,
    pub(super) next: u32,
}

/// A parsed text.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(super) nodes: Vec<Data>,
    depth: usize,
}

struct Names {
    language: tree_sitter::Language,
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

fn grammar() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| {
        let language = tree_sitter::Language::from(tree_sitter_cuda::LANGUAGE);
        let kind = |id: usize| {
            let id = u16::try_from(id).unwrap_or(0);
            let named = language.node_kind_is_named(id);
            let name = language.node_kind_for_id(id).unwrap_or("");
            if named { kind_named(name) } else { Kind::Other }
        };
        let kinds = (0..language.node_kind_count()).map(kind).collect();
        let field = |id: usize| {
            let id = u16::try_from(id).unwrap_or(0);
            language
                .field_name_for_id(id)
                .map_or(Field::Other, field_named)
        };
        let fields = (0..=language.field_count()).map(field).collect();
        Names {
            language,
            kinds,
            fields,
        }
    })
}

thread_local! {
    static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(tree_sitter::Parser::new());
}

impl Tree {
    /// Parses `text`; node offsets start at `base`, where `text` starts in the
    /// file (negative when `text` begins with a frame that is not in the file).
    pub(crate) fn parse(text: &[u8], base: i64) -> Self {
        let names = grammar();
        let parsed = PARSER.with_borrow_mut(|parser| {
            parser.set_language(&names.language).ok()?;
            parser.parse(text, None)
        });
        let mut tree = Self {
            nodes: Vec::new(),
            depth: 0,
        };
        match parsed {
            Some(parsed) => tree.copy(&parsed, names, base),
            None => tree.nodes.push(Data {
                kind: Kind::Error,
                field: Field::Other,
                named: true,
                error: true,
                start: 0,
                end: 0,
                parent: NONE,
                first: NONE,
                next: NONE,
            }),
        }
        tree
    }

    /// Parses a piece of a file, `text` at `start`, framed by what makes it a
    /// whole: node offsets inside the piece are the file's.
    pub(crate) fn fragment(before: &str, text: &[u8], after: &str, start: usize) -> Self {
        let framed = [before.as_bytes(), text, after.as_bytes()].concat();
        let base = i64::try_from(start).unwrap_or(0) - i64::try_from(before.len()).unwrap_or(0);
        Self::parse(&framed, base)
    }

    fn copy(&mut self, parsed: &tree_sitter::Tree, names: &Names, base: i64) {
        let mut cursor = parsed.walk();
        let mut parents: Vec<u32> = Vec::new();
        let mut last: Vec<u32> = vec![NONE];
        let shift = |at: usize| {
            u32::try_from(i64::try_from(at).unwrap_or(0).saturating_add(base)).unwrap_or(0)
        };
        loop {
            let node = cursor.node();
            let id = u32::try_from(self.nodes.len()).unwrap_or(NONE);
            let kind = if node.is_error() {
                Kind::Error
            } else {
                names
                    .kinds
                    .get(usize::from(node.kind_id()))
                    .copied()
                    .unwrap_or(Kind::Other)
            };
            let field = cursor.field_id().map_or(Field::Other, |id| {
                names
                    .fields
                    .get(usize::from(id.get()))
                    .copied()
                    .unwrap_or(Field::Other)
            });
            self.nodes.push(Data {
                kind,
                field,
                named: node.is_named(),
                error: node.has_error(),
                start: shift(node.start_byte()),
                end: shift(node.end_byte()),
                parent: parents.last().copied().unwrap_or(NONE),
                first: NONE,
                next: NONE,
            });
            if let Some(previous) = last.last_mut() {
                if *previous != NONE {
                    self.nodes[*previous as usize].next = id;
                } else if let Some(parent) = parents.last() {
                    self.nodes[*parent as usize].first = id;
                }
                *previous = id;
            }
            if cursor.goto_first_child() {
                parents.push(id);
                last.push(NONE);
                self.depth = self.depth.max(parents.len());
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                parents.pop();
                last.pop();
            }
        }
    }

    /// The whole text's node.
    pub(crate) fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }

    /// How deep nodes are nested.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{:?}", self.kind(), self.range())
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t Data {
        &self.tree.nodes[self.id as usize]
    }

    fn at(self, id: u32) -> Option<Self> {
        (id != NONE).then_some(Self {
            tree: self.tree,
            id,
        })
    }

    pub(crate) fn kind(self) -> Kind {
        self.data().kind
    }

    pub(crate) fn is(self, kind: Kind) -> bool {
        self.kind() == kind
    }

    /// The part it plays in its parent.
    pub(crate) fn field(self) -> Field {
        self.data().field
    }

    pub(crate) fn start(self) -> usize {
        self.data().start as usize
    }

    pub(crate) fn end(self) -> usize {
        self.data().end as usize
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start()..self.end()
    }

    /// Whether it stands for a rule of the grammar, not for a token.
    pub(crate) fn is_named(self) -> bool {
        self.data().named
    }

    /// Whether the parser had to guess or skip anything inside.
    pub(crate) fn has_error(self) -> bool {
        self.data().error
    }

    /// The first place inside where the parser had to guess or skip something.
    pub(crate) fn first_error(self) -> Option<Self> {
        let mut node = self.has_error().then_some(self)?;
        while !node.is(Kind::Error) {
            match node.children().find(|child| child.has_error()) {
                Some(child) => node = child,
                // A token that the parser had to make up.
                None => break,
            }
        }
        Some(node)
    }

    pub(crate) fn parent(self) -> Option<Self> {
        self.at(self.data().parent)
    }

    pub(crate) fn next_sibling(self) -> Option<Self> {
        self.at(self.data().next)
    }

    /// All children, tokens included.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> + use<'t> {
        let mut next = self.at(self.data().first);
        std::iter::from_fn(move || {
            let node = next?;
            next = node.next_sibling();
            Some(node)
        })
    }

    /// The children that are no tokens.
    pub(crate) fn named_children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(|node| node.is_named())
    }

    /// The first child in `field`.
    pub(crate) fn child(self, field: Field) -> Option<Self> {
        self.children().find(|node| node.field() == field)
    }

    /// All children in `field`.
    pub(crate) fn children_in(self, field: Field) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(move |node| node.field() == field)
    }

    /// The first child of `kind`.
    pub(crate) fn child_of(self, kind: Kind) -> Option<Self> {
        self.children().find(|node| node.is(kind))
    }

    /// The only or first rule child.
    pub(crate) fn first_named(self) -> Option<Self> {
        self.named_children().next()
    }

    /// This node and all below it, in order of the text.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> + use<'t> {
        let mut next = Some(self);
        std::iter::from_fn(move || {
            let node = next?;
            next = node.after(self);
            Some(node)
        })
    }

    /// The node after this one in text order, inside `root`.
    fn after(self, root: Self) -> Option<Self> {
        if let Some(first) = self.at(self.data().first) {
            return Some(first);
        }
        let mut node = self;
        while node.id != root.id {
            if let Some(next) = node.next_sibling() {
                return Some(next);
            }
            node = node.parent()?;
        }
        None
    }

    /// The text in `source`, the file the tree was made from.
    pub(crate) fn text(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or("")
    }
}
