//! The names of the grammar that hirace uses: kinds of nodes, and fields.

/// Declares an enum, and the lookup of its variants by the grammar's names: `CallExpression` is
/// `call_expression`.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident, $lookup:ident: $($variant:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($variant,)* /// Any other.
            Other }
        pub(super) fn $lookup(text: &str) -> $name {
            let name = camel_case(text);
            let all = [$((stringify!($variant), $name::$variant)),*];
            let found = all.into_iter().find(|(variant, _)| *variant == name);
            found.map_or($name::Other, |(_, variant)| variant)
        }
    };
}

fn camel_case(text: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    text.split('_').map(word).collect()
}

names! {
    /// The kind of a node.
    Kind, kind_named:
    AbstractArrayDeclarator AbstractFunctionDeclarator AbstractParenthesizedDeclarator
    AbstractPointerDeclarator AbstractReferenceDeclarator AliasDeclaration AlignofExpression
    ArgumentList ArrayDeclarator AssignmentExpression AttributedDeclarator AttributedStatement
    BaseClassClause BinaryExpression BitfieldClause BreakStatement CallExpression CaseStatement
    CastExpression CatchClause ClassSpecifier CommaExpression CompoundLiteralExpression
    CompoundStatement ConceptDefinition ConditionClause ConditionalExpression ContinueStatement
    Declaration Decltype DeleteExpression DependentName DoStatement ElseClause EnumSpecifier Enumerator
    Error ExpressionStatement ExtensionExpression FieldDeclaration FieldExpression
    FieldIdentifier FieldInitializerList FoldExpression ForRangeLoop ForStatement FriendDeclaration
    FunctionDeclarator FunctionDefinition GenericExpression GnuAsmExpression GnuAsmInputOperand
    GnuAsmOutputOperand GotoStatement Identifier IfStatement InitDeclarator InitStatement InitializerList
    InitializerPair KernelCallSyntax LabeledStatement LambdaCaptureInitializer LambdaExpression
    NamespaceAliasDefinition NamespaceDefinition NewExpression Noexcept Null NumberLiteral OffsetofExpression
    OperatorCast OperatorName OptionalParameterDeclaration OptionalTypeParameterDeclaration
    ParameterDeclaration ParameterList ParameterPackExpansion ParenthesizedDeclarator
    ParenthesizedExpression PointerDeclarator PointerExpression PrimitiveType
    QualifiedIdentifier ReferenceDeclarator RequiresClause RequiresExpression ReturnStatement
    SizedTypeSpecifier SizeofExpression StaticAssertDeclaration StorageClassSpecifier
    StringLiteral StructSpecifier StructuredBindingDeclarator SubscriptArgumentList
    SubscriptExpression SwitchStatement TemplateArgumentList TemplateDeclaration
    TemplateFunction TemplateInstantiation TemplateMethod TemplateType This TrailingReturnType
    TryStatement TypeDefinition TypeDescriptor TypeIdentifier TypeQualifier UnaryExpression
    UnionSpecifier UpdateExpression UsingDeclaration VariadicDeclarator
    VariadicParameterDeclaration WhileStatement
}

names! {
    /// The role of a node in its parent.
    Field, field_named:
    Alternative Argument Arguments AssemblyCode Body Captures Condition Consequence Declarator
    Member Function Indices Initializer Label Left Name Operator Parameters Pattern Placement Right
    Scope Size Type Update Value
}
