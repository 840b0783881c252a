//! The types of the source, for reports: what the bytes of an object are called and how they are
//! shown.

use std::fmt::Write;

/// An index into [`Image::types`](super::Image::types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypeId(pub(crate) u32);

/// How a scalar is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Encoding {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A character.
    Character,
    /// A truth value.
    Boolean,
    /// A floating-point number.
    Float,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    /// Empty where it has none.
    pub(crate) name: String,
    /// In bits, since there are bit fields.
    pub(crate) offset: u64,
    /// In bits.
    pub(crate) size: u64,
    /// None where nothing is known.
    pub(crate) ty: Option<TypeId>,
}

/// A type of the source. Typedefs and qualifiers are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SourceType {
    /// A number, character or truth value.
    Scalar { name: String, bytes: u32, encoding: Encoding },
    /// A pointer or reference, also one to a function.
    Pointer { to: Option<TypeId> },
    /// An array with so many elements in each dimension.
    Array { element: Option<TypeId>, counts: Vec<u64>, bytes: u64 },
    /// A struct or class.
    Struct { name: String, bytes: u64, members: Vec<Member> },
    /// A union.
    Union { name: String, bytes: u64, members: Vec<Member> },
    /// An enumeration.
    Enumeration { name: String, bytes: u32, values: Vec<(String, i64)> },
    /// Something else, by name.
    Other { name: String, bytes: u64 },
}

impl SourceType {
    /// In bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            SourceType::Scalar { bytes, .. } | SourceType::Enumeration { bytes, .. } => u64::from(*bytes),
            SourceType::Pointer { .. } => 8,
            SourceType::Array { bytes, .. }
            | SourceType::Struct { bytes, .. }
            | SourceType::Union { bytes, .. }
            | SourceType::Other { bytes, .. } => *bytes,
        }
    }
}

/// What lies at an offset of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// What to append to the object's name: `[3].next`; empty for the object as a whole.
    pub(crate) path: String,
    /// The innermost type that begins there, if anything is known.
    pub(crate) ty: Option<TypeId>,
}

/// Follows an offset through the types, down to a scalar. `repeats` says that the object holds an
/// unknown number of values of this type in a row (a heap block).
pub(crate) fn leaf(types: &[SourceType], ty: Option<TypeId>, offset: u64, repeats: bool) -> Leaf {
    let mut path = String::new();
    let (mut ty, mut offset) = (ty, offset);
    let size = ty.and_then(|ty| types.get(ty.0 as usize)).map_or(0, SourceType::bytes);
    if repeats && size > 0 {
        let _ = write!(path, "[{}]", offset / size);
        offset %= size;
    }
    // Types can be nested in circles only where debug information is damaged; so the depth is
    // bounded.
    for _ in 0..64 {
        match ty.and_then(|ty| types.get(ty.0 as usize)) {
            Some(SourceType::Array { element, counts, .. }) => {
                let Some(bytes) = element.and_then(|ty| types.get(ty.0 as usize)).map(SourceType::bytes) else { break };
                offset = indices(&mut path, counts, bytes, offset);
                ty = *element;
            }
            Some(SourceType::Struct { members, .. } | SourceType::Union { members, .. }) => {
                let holds = |member: &&Member| {
                    (member.offset..member.offset.saturating_add(member.size)).contains(&offset.saturating_mul(8))
                };
                let Some(member) = members.iter().find(holds) else { break };
                if !member.name.is_empty() {
                    let _ = write!(path, ".{}", member.name);
                }
                offset -= member.offset / 8;
                ty = member.ty;
            }
            _ => break,
        }
    }
    if offset > 0 {
        let _ = write!(path, "+{offset}");
    }
    Leaf { path, ty }
}

/// Appends the indices of an element; what is left of the offset.
fn indices(path: &mut String, counts: &[u64], bytes: u64, offset: u64) -> u64 {
    if bytes == 0 {
        return offset;
    }
    let mut element = offset / bytes;
    let mut inner: u64 = counts.iter().skip(1).fold(1, |product, &count| product.saturating_mul(count.max(1)));
    for &count in counts.iter().skip(1) {
        let _ = write!(path, "[{}]", element / inner);
        element %= inner;
        inner /= count.max(1);
    }
    let _ = write!(path, "[{element}]");
    offset % bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types() -> Vec<SourceType> {
        let member =
            |name: &str, offset, size, ty| Member { name: name.to_owned(), offset, size, ty: Some(TypeId(ty)) };
        vec![
            SourceType::Scalar { name: "int".to_owned(), bytes: 4, encoding: Encoding::Signed },
            SourceType::Pointer { to: Some(TypeId(2)) },
            SourceType::Struct {
                name: "node".to_owned(),
                bytes: 16,
                members: vec![member("value", 0, 32, 0), member("next", 64, 64, 1)],
            },
            SourceType::Array { element: Some(TypeId(2)), counts: vec![4], bytes: 64 },
            SourceType::Struct {
                name: "queue".to_owned(),
                bytes: 72,
                members: vec![member("items", 0, 512, 3), member("head", 512, 32, 0)],
            },
            SourceType::Array { element: Some(TypeId(0)), counts: vec![2, 3], bytes: 24 },
        ]
    }

    #[test]
    fn paths() {
        let path = |ty, offset| leaf(&types(), Some(TypeId(ty)), offset, false).path;
        assert_eq!(path(4, 56), ".items[3].next");
        assert_eq!(path(4, 58), ".items[3].next+2");
        assert_eq!(path(4, 64), ".head");
        assert_eq!(path(0, 0), "");
        assert_eq!(path(5, 20), "[1][2]");
        assert_eq!(path(2, 5), "+5");
        assert_eq!(
            leaf(&types(), Some(TypeId(2)), 24, true),
            Leaf { path: "[1].next".to_owned(), ty: Some(TypeId(1)) }
        );
        assert_eq!(leaf(&types(), None, 3, true).path, "+3");
    }
}
