//! Types: what fits where.

use crate::hir::{ClassId, DataId, InterfaceId};

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Type {
    /// Nothing is known of it: it was wrong and has been reported, or comes from a function that is
    /// handed on.
    Any,
    Int,
    Rat,
    String,
    Null,
    Data(DataId, Vec<Type>),
    Interface(InterfaceId),
    /// Of `this` and of `new`.
    Class(ClassId),
    Future(Box<Type>),
    /// A type parameter of the function that is being checked.
    Parameter(u32),
    /// To be found out.
    Variable(u32),
}

/// What is known of the types of a program that are not data.
#[derive(Default)]
pub(crate) struct Objects {
    /// For each interface, itself and all that it extends.
    pub(crate) above: Vec<Vec<InterfaceId>>,
    /// For each class, its interfaces with all that they extend.
    pub(crate) classes: Vec<Vec<InterfaceId>>,
}

/// The types that are being found out.
#[derive(Default)]
pub(crate) struct Variables(Vec<Option<Type>>);

/// Types nest at most as deep as this when they are compared; deeper ones are taken to fit.
const DEEPEST: usize = 200;

impl Variables {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn fresh(&mut self) -> Type {
        self.0.push(None);
        Type::Variable(self.0.len() as u32 - 1)
    }

    /// The type itself, if it has been found out.
    pub(crate) fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        while let Type::Variable(number) = ty {
            match &self.0[number as usize] {
                Some(found) => ty = found.clone(),
                None => break,
            }
        }
        ty
    }

    /// The type with all that has been found out put in.
    pub(crate) fn deep(&self, ty: &Type, depth: usize) -> Type {
        if depth > DEEPEST {
            return Type::Any;
        }
        match self.shallow(ty) {
            Type::Data(data, arguments) => {
                Type::Data(data, arguments.iter().map(|argument| self.deep(argument, depth + 1)).collect())
            }
            Type::Future(inner) => Type::Future(Box::new(self.deep(&inner, depth + 1))),
            other => other,
        }
    }

    fn occurs(&self, number: u32, ty: &Type, depth: usize) -> bool {
        if depth > DEEPEST {
            return true;
        }
        match self.shallow(ty) {
            Type::Variable(other) => other == number,
            Type::Data(_, arguments) => arguments.iter().any(|argument| self.occurs(number, argument, depth + 1)),
            Type::Future(inner) => self.occurs(number, &inner, depth + 1),
            _ => false,
        }
    }

    fn bind(&mut self, number: u32, ty: Type) -> bool {
        if self.occurs(number, &ty, 0) {
            return matches!(self.shallow(&ty), Type::Variable(other) if other == number);
        }
        self.0[number as usize] = Some(ty);
        true
    }

    /// Whether a value of the one type can stand where the other is wanted. Finds out variables on
    /// the way.
    pub(crate) fn fits(&mut self, objects: &Objects, from: &Type, to: &Type) -> bool {
        self.fits_within(objects, from, to, 0)
    }

    fn fits_within(&mut self, objects: &Objects, from: &Type, to: &Type, depth: usize) -> bool {
        if depth > DEEPEST {
            return true;
        }
        match (self.shallow(from), self.shallow(to)) {
            (Type::Any, _) | (_, Type::Any) => true,
            (Type::Null, Type::Variable(_)) => true,
            (from, Type::Variable(number)) => self.bind(number, from),
            (Type::Variable(number), to) => self.bind(number, to),
            (Type::Null, Type::Interface(_) | Type::Future(_) | Type::Null | Type::Class(_)) => true,
            (Type::Int, Type::Int | Type::Rat) | (Type::Rat, Type::Rat) | (Type::String, Type::String) => true,
            (Type::Interface(one), Type::Interface(other)) => objects.above[one.index()].contains(&other),
            (Type::Class(class), Type::Interface(other)) => objects.classes[class.index()].contains(&other),
            (Type::Class(one), Type::Class(other)) => one == other,
            (Type::Parameter(one), Type::Parameter(other)) => one == other,
            (Type::Future(one), Type::Future(other)) => self.fits_within(objects, &one, &other, depth + 1),
            (Type::Data(one, ones), Type::Data(other, others)) => {
                one == other
                    && ones.iter().zip(&others).all(|(one, other)| self.fits_within(objects, one, other, depth + 1))
            }
            _ => false,
        }
    }

    /// Whether values of both types can be compared.
    pub(crate) fn comparable(&mut self, objects: &Objects, one: &Type, other: &Type) -> bool {
        let is_object = |ty: &Type| matches!(ty, Type::Interface(_) | Type::Class(_) | Type::Null);
        let (first, second) = (self.shallow(one), self.shallow(other));
        if is_object(&first) && is_object(&second) {
            return true;
        }
        self.fits(objects, one, other) || self.fits(objects, other, one)
    }
}

/// The type with types put in for the parameters of a declaration.
pub(crate) fn instantiate(ty: &Type, arguments: &[Type]) -> Type {
    match ty {
        Type::Parameter(number) => arguments.get(*number as usize).cloned().unwrap_or(Type::Any),
        Type::Data(data, inner) => Type::Data(*data, inner.iter().map(|ty| instantiate(ty, arguments)).collect()),
        Type::Future(inner) => Type::Future(Box::new(instantiate(inner, arguments))),
        other => other.clone(),
    }
}
