//! The words of LLVM's listing: flags, predicates, orderings, numbers and names.

use mazurka_llvm::ir::*;

pub(crate) fn push(out: &mut String, word: &str) {
    if !word.is_empty() {
        if !out.is_empty() || word.starts_with(char::is_alphabetic) {
            out.push(' ');
        }
        out.push_str(word);
    }
}

pub(crate) fn alignment(alignment: Option<u64>) -> String {
    alignment.map_or(String::new(), |alignment| format!(", align {alignment}"))
}

pub(crate) fn listed(indices: &[u32]) -> String {
    indices.iter().map(|index| format!(", {index}")).collect()
}

pub(crate) fn surrounded(ty: &Type, inner: String) -> String {
    match ty {
        Type::Array(..) => format!("[{inner}]"),
        Type::Vector { .. } => format!("<{inner}>"),
        Type::Struct(structure) if structure.packed => format!("<{{ {inner} }}>"),
        _ => format!("{{ {inner} }}"),
    }
}

pub(crate) fn shuffle_mask(mask: &[Option<u32>]) -> String {
    let head = format!("<{} x i32>", mask.len());
    if mask.iter().all(|index| *index == Some(0)) {
        return format!("{head} zeroinitializer");
    }
    if mask.iter().all(Option::is_none) {
        return format!("{head} poison");
    }
    let list: Vec<String> =
        mask.iter().map(|index| index.map_or("i32 poison".to_string(), |index| format!("i32 {index}"))).collect();
    format!("{head} <{}>", list.join(", "))
}

pub(crate) fn integer(value: u64, bits: u32) -> String {
    if bits == 1 {
        return (value != 0).to_string();
    }
    ((value << (64 - bits)) as i64 >> (64 - bits)).to_string()
}

/// A number of more than 64 bits, with its sign.
pub(crate) fn wide_integer(words: &[u64], bits: u32) -> String {
    let mut words = words.to_vec();
    let last = words.len() - 1;
    let negative = words[last] >> ((bits - 1) % 64) & 1 != 0;
    if negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
        words[last] &= u64::MAX >> (words.len() as u32 * 64 - bits);
    }
    let mut digits = Vec::new();
    while words.iter().any(|&word| word != 0) {
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let value = u128::from(rest) << 64 | u128::from(*word);
            (*word, rest) = ((value / 10) as u64, (value % 10) as u64);
        }
        digits.push(char::from(b'0' + rest as u8));
    }
    let sign = if negative { "-" } else { "" };
    match digits.is_empty() {
        true => "0".to_string(),
        false => digits.iter().rev().fold(sign.to_string(), |text, digit| text + &digit.to_string()),
    }
}

/// A floating-point number by its bits; `float` as the `double` of the same value, as LLVM prints
/// it.
pub(crate) fn float(ty: &Type, bits: u128) -> String {
    match ty {
        Type::Half => format!("0xH{bits:04X}"),
        Type::BFloat => format!("0xR{bits:04X}"),
        Type::Float => format!("0x{:016X}", f64::from(f32::from_bits(bits as u32)).to_bits()),
        Type::Double => format!("0x{bits:016X}"),
        Type::X86Fp80 => format!("0xK{bits:020X}"),
        _ => format!("0xL{:016X}{:016X}", bits as u64, (bits >> 64) as u64),
    }
}

/// A name with its sigil, in quotes where it needs them.
pub(crate) fn quoted(sigil: char, name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_');
    if name.chars().all(plain) && !name.starts_with(|letter: char| letter.is_ascii_digit()) {
        return format!("{sigil}{name}");
    }
    format!("{sigil}\"{}\"", escaped(name))
}

pub(crate) fn escaped(text: &str) -> String {
    escaped_bytes(text.as_bytes())
}

pub(crate) fn escaped_bytes(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| match byte {
            b'"' => "\\22".to_string(),
            b'\\' => "\\\\".to_string(),
            b' '..=b'~' => (byte as char).to_string(),
            byte => format!("\\{byte:02X}"),
        })
        .collect()
}

pub(crate) fn linkage(linkage: Linkage, declaration: bool) -> &'static str {
    match linkage {
        Linkage::External if declaration => "external",
        Linkage::External => "",
        Linkage::AvailableExternally => "available_externally",
        Linkage::LinkOnceAny => "linkonce",
        Linkage::LinkOnceOdr => "linkonce_odr",
        Linkage::WeakAny => "weak",
        Linkage::WeakOdr => "weak_odr",
        Linkage::Appending => "appending",
        Linkage::Internal => "internal",
        Linkage::Private => "private",
        Linkage::ExternalWeak => "extern_weak",
        Linkage::Common => "common",
    }
}

pub(crate) fn thread_local(model: Option<ThreadLocal>) -> &'static str {
    match model {
        None => "",
        Some(ThreadLocal::GeneralDynamic) => "thread_local",
        Some(ThreadLocal::LocalDynamic) => "thread_local(localdynamic)",
        Some(ThreadLocal::InitialExec) => "thread_local(initialexec)",
        Some(ThreadLocal::LocalExec) => "thread_local(localexec)",
    }
}

pub(crate) fn convention(number: u32) -> String {
    match number {
        0 => String::new(),
        8 => "fastcc".to_string(),
        9 => "coldcc".to_string(),
        number => format!("cc{number}"),
    }
}

pub(crate) fn flag_words(flags: ArithmeticFlags) -> String {
    let words = [
        (flags.no_unsigned_wrap, " nuw"),
        (flags.no_signed_wrap, " nsw"),
        (flags.exact, " exact"),
        (flags.disjoint, " disjoint"),
        (flags.non_negative, " nneg"),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect()
}

pub(crate) fn fast_math(fast: FastMath) -> String {
    if fast == FastMath::ALL {
        return " fast".to_string();
    }
    let words = [
        (fast.reassociate, " reassoc"),
        (fast.no_nans, " nnan"),
        (fast.no_infinities, " ninf"),
        (fast.no_signed_zeros, " nsz"),
        (fast.allow_reciprocal, " arcp"),
        (fast.allow_contract, " contract"),
        (fast.approximate_functions, " afn"),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect()
}

pub(crate) fn pointer_flags(flags: PointerFlags) -> String {
    let words = [
        (flags.inbounds, " inbounds"),
        (flags.no_unsigned_signed_wrap && !flags.inbounds, " nusw"),
        (flags.no_unsigned_wrap, " nuw"),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect()
}

pub(crate) fn integer_predicate(predicate: IntegerPredicate) -> &'static str {
    match predicate {
        IntegerPredicate::Equal => "eq",
        IntegerPredicate::NotEqual => "ne",
        IntegerPredicate::UnsignedGreater => "ugt",
        IntegerPredicate::UnsignedGreaterEqual => "uge",
        IntegerPredicate::UnsignedLess => "ult",
        IntegerPredicate::UnsignedLessEqual => "ule",
        IntegerPredicate::SignedGreater => "sgt",
        IntegerPredicate::SignedGreaterEqual => "sge",
        IntegerPredicate::SignedLess => "slt",
        IntegerPredicate::SignedLessEqual => "sle",
    }
}

pub(crate) fn float_predicate(predicate: FloatPredicate) -> &'static str {
    match predicate {
        FloatPredicate::False => "false",
        FloatPredicate::OrderedEqual => "oeq",
        FloatPredicate::OrderedGreater => "ogt",
        FloatPredicate::OrderedGreaterEqual => "oge",
        FloatPredicate::OrderedLess => "olt",
        FloatPredicate::OrderedLessEqual => "ole",
        FloatPredicate::OrderedNotEqual => "one",
        FloatPredicate::Ordered => "ord",
        FloatPredicate::Unordered => "uno",
        FloatPredicate::UnorderedEqual => "ueq",
        FloatPredicate::UnorderedGreater => "ugt",
        FloatPredicate::UnorderedGreaterEqual => "uge",
        FloatPredicate::UnorderedLess => "ult",
        FloatPredicate::UnorderedLessEqual => "ule",
        FloatPredicate::UnorderedNotEqual => "une",
        FloatPredicate::True => "true",
    }
}

pub(crate) fn ordering(ordering: Ordering) -> &'static str {
    match ordering {
        Ordering::Unordered => "unordered",
        Ordering::Monotonic => "monotonic",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcquireRelease => "acq_rel",
        Ordering::SequentiallyConsistent => "seq_cst",
    }
}

pub(crate) fn atomic_operator(operator: AtomicOperator) -> &'static str {
    match operator {
        AtomicOperator::Exchange => "xchg",
        AtomicOperator::Add => "add",
        AtomicOperator::Sub => "sub",
        AtomicOperator::And => "and",
        AtomicOperator::Nand => "nand",
        AtomicOperator::Or => "or",
        AtomicOperator::Xor => "xor",
        AtomicOperator::Max => "max",
        AtomicOperator::Min => "min",
        AtomicOperator::UMax => "umax",
        AtomicOperator::UMin => "umin",
        AtomicOperator::FAdd => "fadd",
        AtomicOperator::FSub => "fsub",
        AtomicOperator::FMax => "fmax",
        AtomicOperator::FMin => "fmin",
        AtomicOperator::UIncWrap => "uinc_wrap",
        AtomicOperator::UDecWrap => "udec_wrap",
        AtomicOperator::USubCond => "usub_cond",
        AtomicOperator::USubSat => "usub_sat",
        AtomicOperator::FMaximum => "fmaximum",
        AtomicOperator::FMinimum => "fminimum",
    }
}
