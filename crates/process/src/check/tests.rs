//! What comes out for valid programs.

use super::compile;
use crate::hir::{
    Binary, BodyKind, Expr, ExprId, ExprKind, Program, Span, Statement, StatementKind, Steps, Target, Type,
};

fn program(source: &str) -> Program {
    compile("test.mzk", source, &[]).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// An expression with all parentheses.
fn written(program: &Program, id: ExprId) -> String {
    let of = |id: ExprId| written(program, id);
    match &program.exprs[id.index()].kind {
        ExprKind::Value(value) => value.to_string(),
        ExprKind::Local(id) => format!("local{}", id.0),
        ExprKind::Global(id) => program.globals[id.index()].name.clone(),
        ExprKind::Cell(id, index) => format!("{}[{}]", program.globals[id.index()].name, of(*index)),
        ExprKind::Unary(operator, a) => format!("{operator:?}({})", of(*a)),
        ExprKind::Binary(operator, a, b) => format!("({} {} {})", of(*a), crate::operator::sign(*operator), of(*b)),
        ExprKind::Conditional(c, a, b) => format!("({} ? {} : {})", of(*c), of(*a), of(*b)),
        ExprKind::Choose(a, b) => format!("choose({}, {})", of(*a), of(*b)),
    }
}

/// The value that the only statement of the first body assigns, with all parentheses.
fn value(expression: &str) -> String {
    let program =
        program(&format!("const N = 3; const T = true; int x, y, a[9]; bool b; process p {{ x = {expression}; }}"));
    let StatementKind::Assign(_, value) = program.bodies[0].block[0].kind else { panic!("no assignment") };
    written(&program, value)
}

fn statements(program: &Program) -> &[Statement] {
    &program.bodies[0].block
}

fn text(source: &str, span: Span) -> &str {
    &source[span.start as usize..span.end as usize]
}

#[test]
fn operators_bind_as_in_c() {
    assert_eq!(value("1 + 2 * 3 - 4"), "((1 + (2 * 3)) - 4)");
    assert_eq!(value("x - y - 1"), "((x - y) - 1)");
    assert_eq!(value("x * (y - 1) % 2 / 3"), "(((x * (y - 1)) % 2) / 3)");
    assert_eq!(
        value("x < y == b || b && x + 1 >= 2 != b ? 1 : 2"),
        "((((x < y) == b) || (b && (((x + 1) >= 2) != b))) ? 1 : 2)"
    );
    assert_eq!(value("b ? 1 : !b ? 2 : b ? 3 : 4"), "(b ? 1 : (Not(b) ? 2 : (b ? 3 : 4)))");
    assert_eq!(value("b ? b ? 1 : 2 : 3"), "(b ? (b ? 1 : 2) : 3)");
    assert_eq!(value("-x - -y + --x"), "((Negate(x) - Negate(y)) + Negate(Negate(x)))");
    assert_eq!(value("a[a[x + 1]] + choose(0, x)"), "(a[a[(x + 1)]] + choose(0, x))");
}

#[test]
fn the_sign_belongs_to_the_number() {
    assert_eq!(value("-9223372036854775808"), "-9223372036854775808");
    assert_eq!(value("x - 1"), "(x - 1)");
    assert_eq!(value("x - -1"), "(x - -1)");
    assert_eq!(value("--1"), "Negate(-1)");
    assert_eq!(value("-(1)"), "Negate(1)");
    assert_eq!(value("007"), "7");
}

#[test]
fn constants_stand_as_values() {
    assert_eq!(value("N + (T ? N : 0)"), "(3 + (1 ? 3 : 0))");
    let source = "const N = 2; int a[N * 2]; bool b = N == 5; process q[N](i) { }";
    let given = compile("", source, &[("N".to_string(), 5)]).expect("a program");
    assert_eq!(given.globals[0].length, Some(10));
    assert_eq!(given.globals[1].initial, [1]);
    assert_eq!(given.bodies[0].kind, BodyKind::ProcessArray(5));
    assert!(given.exprs.is_empty());
}

#[test]
fn children_come_before_parents() {
    let program = program("int x; bool b; process p { x = b ? x * 2 + 1 : -x; x = b && !b ? 1 : 2; }");
    for (index, Expr { kind, .. }) in program.exprs.iter().enumerate() {
        let children = match *kind {
            ExprKind::Value(_) | ExprKind::Local(_) | ExprKind::Global(_) => vec![],
            ExprKind::Cell(_, a) | ExprKind::Unary(_, a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Choose(a, b) => vec![a, b],
            ExprKind::Conditional(a, b, c) => vec![a, b, c],
        };
        assert!(children.iter().all(|child| child.index() < index));
    }
}

#[test]
fn initial_values() {
    let program = program(
        "int x, a[3], c[2] = 7, d[3] = {1, -2, 3}; bool b, e[2] = {true, false}, f[2] = true; mutex m, g[4]; process p { }",
    );
    let initial: Vec<&[i64]> = program.globals.iter().map(|global| global.initial.as_slice()).collect();
    assert_eq!(initial, [[0].as_slice(), &[0, 0, 0], &[7, 7], &[1, -2, 3], &[0], &[1, 0], &[1, 1]]);
    let lengths: Vec<Option<usize>> = program.mutexes.iter().map(|mutex| mutex.length).collect();
    assert_eq!(lengths, [None, Some(4)]);
}

#[test]
fn bodies_and_parameters() {
    let program =
        program("process q[2](i) { int t; } proc w(int v, bool b) { v = 1; b = false; } process p { } finally { }");
    let kinds: Vec<_> = program.bodies.iter().map(|body| (body.name.as_str(), body.kind, body.parameters)).collect();
    let expected = [
        ("q", BodyKind::ProcessArray(2), 1),
        ("w", BodyKind::Proc, 2),
        ("p", BodyKind::Process, 0),
        ("finally", BodyKind::Finally, 0),
    ];
    assert_eq!(kinds, expected);
    let locals: Vec<_> = program.bodies[0].locals.iter().map(|local| (local.name.as_str(), local.ty)).collect();
    assert_eq!(locals, [("i", Type::Int), ("t", Type::Int)]);
}

#[test]
fn an_inner_local_hides_an_outer_one() {
    let program = program("process p { int t = 1; if (t == 1) { bool t = t == 2; t = true; } t = 3; }");
    assert_eq!(program.bodies[0].locals.len(), 2);
    let [outer, StatementKind::If(arms, _), last] = [0, 1, 2].map(|i| &statements(&program)[i].kind) else {
        panic!("other statements")
    };
    assert!(matches!(outer, StatementKind::Assign(Target::Local(id), _) if id.0 == 0));
    assert!(matches!(last, StatementKind::Assign(Target::Local(id), _) if id.0 == 0));
    let StatementKind::Assign(Target::Local(inner), initial) = arms[0].2[0].kind else { panic!("no declaration") };
    assert_eq!(inner.0, 1);
    assert_eq!(written(&program, initial), "(local0 == 2)");
}

#[test]
fn declarations_below_are_known() {
    let source =
        "process p { x = 1; lock(m); spawn w(1); } proc w(int v) { } independent p, w when x == 1; mutex m; int x;";
    let program = program(source);
    assert_eq!(program.bodies[0].block.len(), 3);
    assert_eq!(program.independences.len(), 1);
}

#[test]
fn statements_have_their_spans() {
    let source = "int x, a[2]; mutex m; proc w(int v) { } process p {
        int t = 1, u; x = (t + 1) ; a[ 0 ] = 2; lock(m); await x == 1; spawn w( 3 ) ;
        if (x > 0) { x = 1; } else if (x < 0) { } else { x = 3; } while ( x > 0 ) { } atomic take { x = 1; } atomic { }
    }";
    let program = program(source);
    let block = &program.bodies[1].block;
    let spans: Vec<&str> = block.iter().map(|statement| text(source, statement.span)).collect();
    let expected = [
        "int t = 1",
        "u",
        "x = (t + 1)",
        "a[ 0 ] = 2",
        "lock(m)",
        "await x == 1",
        "spawn w( 3 )",
        "if (x > 0)",
        "while ( x > 0 )",
        "atomic take",
        "atomic",
    ];
    assert_eq!(spans, expected);
    let StatementKind::If(arms, _) = &block[7].kind else { panic!("no if") };
    let heads: Vec<&str> = arms.iter().map(|arm| text(source, arm.0)).collect();
    assert_eq!(heads, ["if (x > 0)", "if (x < 0)"]);
}

#[test]
fn expressions_have_their_spans() {
    let source = "int x, a[2]; bool b; process p { x = (1 + x) * -a[ 0 ] + (b ? 1 : choose(0, (2))); }";
    let program = program(source);
    let spans: Vec<&str> = program.exprs.iter().map(|expr| text(source, expr.span)).collect();
    let expected = [
        "1",
        "x",
        "(1 + x)",
        "0",
        "a[ 0 ]",
        "-a[ 0 ]",
        "(1 + x) * -a[ 0 ]",
        "b",
        "1",
        "0",
        "(2)",
        "choose(0, (2))",
        "(b ? 1 : choose(0, (2)))",
        "(1 + x) * -a[ 0 ] + (b ? 1 : choose(0, (2)))",
    ];
    assert_eq!(spans, expected);
}

#[test]
fn parameters_of_independence_count_through_both_sides() {
    let source = "int x; process q[2](i) { atomic take { x = i; } } proc w(int v, bool b) { }
        independent w(v, c), take(j) when c && v == j + x;
        independent w, q(j) when j == 0;
        independent w, take when true;";
    let program = program(source);
    let conditions: Vec<String> =
        program.independences.iter().map(|declared| written(&program, declared.condition)).collect();
    assert_eq!(conditions, ["(local1 && (local0 == (local2 + x)))", "(local0 == 0)", "1"]);
    let first = &program.independences[0];
    assert_eq!(first.left.parameters, ["v", "c"]);
    assert!(matches!(&first.right.steps, Steps::Atomic(body, name) if body.0 == 0 && name == "take"));
    assert_eq!(text(source, first.span), "independent w(v, c), take(j) when c && v == j + x");
}

#[test]
fn types_are_known() {
    let program = program("int x; bool b; process p { b = x + 1 > 2; }");
    let types: Vec<Type> = program.exprs.iter().map(|expr| expr.ty).collect();
    assert_eq!(types, [Type::Int, Type::Int, Type::Int, Type::Int, Type::Bool]);
    assert!(matches!(program.exprs[4].kind, ExprKind::Binary(Binary::Greater, _, _)));
}
