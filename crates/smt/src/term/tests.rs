use super::*;

fn infix(arena: &Arena, term: Term) -> String {
    arena.infix(term, 1000)
}

#[test]
fn equal_terms_have_one_number() {
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int));
    let (one, other) = (arena.add(&[x, y]), arena.add(&[y, x]));
    assert_eq!(one, other);
    assert_eq!(arena.less(one, other), arena.no());
    assert_eq!(arena.equal(one, other), arena.yes());
}

#[test]
fn sums_have_one_form() {
    let mut arena = Arena::new();
    let (x, y, three) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int), arena.int(3));
    let sum = arena.add(&[x, y, three]);
    let back = arena.subtract(sum, y);
    let back = arena.subtract(back, three);
    assert_eq!(back, x);
    let twice = arena.add(&[sum, sum]);
    let difference = arena.subtract(x, y);
    assert_eq!(infix(&arena, twice), "2 * x + 2 * y + 6");
    assert_eq!(infix(&arena, difference), "x - y");
    let five = arena.int(5);
    assert_eq!(arena.multiply(three, five), arena.int(15));
}

#[test]
fn connectives_simplify() {
    let mut arena = Arena::new();
    let (a, b) = (arena.variable("a", Sort::Bool), arena.variable("b", Sort::Bool));
    let (not, yes, no) = (arena.not(a), arena.yes(), arena.no());
    assert_eq!(arena.and(&[a, b, not]), no);
    assert_eq!(arena.or(&[a, b, not]), yes);
    assert_eq!(arena.and(&[a, yes, a]), a);
    assert_eq!(arena.and(&[]), yes);
    let (left, right) = (arena.and(&[b, a]), arena.and(&[b, not]));
    assert_eq!(arena.or(&[left, right]), b);
    assert_eq!(arena.ite(a, yes, b), arena.or(&[a, b]));
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int));
    let less = arena.less(x, y);
    let not_less = arena.not(less);
    assert_eq!(infix(&arena, not_less), "y <= x");
    assert_eq!(arena.and(&[less, not_less]), no);
}

#[test]
fn equality_goes_into_choices_of_constants() {
    let mut arena = Arena::new();
    let (a, b) = (arena.variable("a", Sort::Bool), arena.variable("b", Sort::Bool));
    let [one, two, three] = [1, 2, 3].map(|value| arena.int(value));
    let inner = arena.ite(b, two, three);
    let choice = arena.ite(a, one, inner);
    let is_three = arena.equal(choice, three);
    assert_eq!(infix(&arena, is_three), "!b && !a");
    let seven = arena.int(7);
    assert_eq!(arena.equal(choice, seven), arena.no());
}

#[test]
fn reads_see_writes() {
    let mut arena = Arena::new();
    let (array, i, v) =
        (arena.variable("a", Sort::Array), arena.variable("i", Sort::Int), arena.variable("v", Sort::Int));
    let one = arena.int(1);
    let next = arena.add(&[i, one]);
    let written = arena.store(array, i, v);
    assert_eq!(arena.select(written, i), v);
    assert_eq!(arena.select(written, next), arena.select(array, next));
    let unknown = arena.variable("j", Sort::Int);
    let read = arena.select(written, unknown);
    assert_eq!(infix(&arena, read), "a[i := v][j]");
    let own = arena.select(array, i);
    assert_eq!(arena.store(array, i, own), array);
}

#[test]
fn division_rounds_towards_zero() {
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int));
    let (quotient, remainder) = (arena.divide_to_zero(x, y), arena.remainder_to_zero(x, y));
    for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 3), (6, -3)] {
        let mut assignment = Assignment::new();
        assignment.set(x, Value::Int(a));
        assignment.set(y, Value::Int(b));
        assert_eq!(arena.evaluate(quotient, &assignment), Some(Value::Int(a / b)), "{a} / {b}");
        assert_eq!(arena.evaluate(remainder, &assignment), Some(Value::Int(a % b)), "{a} % {b}");
        let (a_term, b_term) = (arena.int(a), arena.int(b));
        assert_eq!(arena.divide_to_zero(a_term, b_term), arena.int(a / b));
    }
    let mut zero = Assignment::new();
    zero.set(x, Value::Int(1));
    zero.set(y, Value::Int(0));
    assert_eq!(arena.evaluate(quotient, &zero), None);
}

#[test]
fn unknown_operands_do_not_decide() {
    let mut arena = Arena::new();
    let (a, b) = (arena.variable("a", Sort::Bool), arena.variable("b", Sort::Bool));
    let both = arena.and(&[a, b]);
    let mut assignment = Assignment::new();
    assignment.set(a, Value::Bool(false));
    assert_eq!(arena.evaluate(both, &assignment), Some(Value::Bool(false)));
    assignment.set(a, Value::Bool(true));
    assert_eq!(arena.evaluate(both, &assignment), None);
}

#[test]
fn functions_are_applied_and_substituted() {
    let mut arena = Arena::new();
    let f = arena.function("f", &[Sort::Int, Sort::Bool], Sort::Int);
    let (x, b) = (arena.variable("x", Sort::Int), arena.variable("b", Sort::Bool));
    let call = arena.apply(f, &[x, b]);
    let (two, yes) = (arena.int(2), arena.yes());
    let mut substitution = Substitution::new();
    substitution.put(x, two);
    substitution.put(b, yes);
    let call = arena.substitute(call, &mut substitution);
    assert_eq!(arena.smtlib(call, |_| None), "(f 2 true)");
    let mut assignment = Assignment::new();
    assignment.set_function(f, &[2, 1], Value::Int(9));
    assert_eq!(arena.evaluate(call, &assignment), Some(Value::Int(9)));
}

#[test]
fn names_are_quoted_where_they_must_be() {
    assert_eq!(symbol("x"), "x");
    assert_eq!(symbol("a[1]"), "|a[1]|");
    assert_eq!(symbol("and"), "|and|");
    assert_ne!(symbol("a|b"), symbol("a\\b"));
    assert_ne!(symbol("a|b"), symbol("a#7c#b"));
}

#[test]
fn infix_has_the_brackets_it_needs() {
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int));
    let (a, two) = (arena.variable("a", Sort::Bool), arena.int(2));
    let sum = arena.add(&[x, two]);
    let product = arena.multiply(sum, y);
    let same = arena.equal(product, y);
    let either = arena.or(&[a, same]);
    let not = arena.not(either);
    assert_eq!(infix(&arena, not), "!(a || y == y * (x + 2))");
    assert!(arena.infix(not, 5).ends_with('…'));
}

#[test]
fn deep_terms_are_no_problem() {
    let mut arena = Arena::new();
    let (f, x) = (arena.function("f", &[Sort::Int], Sort::Int), arena.variable("x", Sort::Int));
    let mut term = x;
    for _ in 0..300_000 {
        term = arena.apply(f, &[term]);
    }
    assert!(arena.smtlib(term, |_| None).len() > 300_000);
    assert!(arena.infix(term, usize::MAX).len() > 300_000);
    let y = arena.variable("y", Sort::Int);
    let mut substitution = Substitution::new();
    substitution.put(x, y);
    let other = arena.substitute(term, &mut substitution);
    assert_eq!(arena.variables_of(&[other]), [y]);
    assert_eq!(arena.evaluate(term, &Assignment::new()), None);
}

#[test]
fn functions_named_by_a_sign_stand_between_their_operands() {
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", Sort::Int), arena.variable("y", Sort::Int));
    let times = arena.function(" * ", &[Sort::Int, Sort::Int], Sort::Int);
    let product = arena.apply(times, &[x, y]);
    let both = arena.apply(times, &[x, product]);
    let sum = arena.add(&[product, x]);
    assert_eq!(infix(&arena, both), "x * (x * y)");
    assert_eq!(infix(&arena, sum), "x + x * y");
}

#[test]
fn division_to_zero_is_written_as_in_the_notation() {
    let mut arena = Arena::new();
    let (x, four, one) = (arena.variable("x", Sort::Int), arena.int(4), arena.int(1));
    let sum = arena.add(&[x, one]);
    let (remainder, quotient) = (arena.remainder_to_zero(sum, four), arena.divide_to_zero(x, four));
    assert_eq!(infix(&arena, remainder), "(x + 1) % 4");
    assert_eq!(infix(&arena, quotient), "x / 4");
}
