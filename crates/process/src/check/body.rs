//! Bodies: what starts them, their parameters, and their blocks.

use super::Checker;
use super::expression::Context;
use super::locals::PARAMETER;
use super::variable::too_many;
use crate::hir::{self, BodyId, Type};
use crate::syntax::ast::{Body, BodyKind, Name};

/// How many processes a program may start with.
const INSTANCES: usize = 1_000_000;

impl<'s> Checker<'_, 's> {
    /// Checks how bodies come to run and what their parameters are: what `spawn` and `independent`
    /// need to know of bodies, whatever the order of the declarations.
    pub(super) fn signatures(&mut self) {
        let mut instances = 0;
        for body in self.written_bodies() {
            self.reported.clear();
            let kind = self.body_kind(body, &mut instances);
            let locals: Vec<hir::Local> = parameters(body)
                .map(|(ty, name)| hir::Local { name: name.text.to_string(), ty, span: name.span })
                .collect();
            self.program.bodies.push(hir::Body {
                name: body.name.text.to_string(),
                kind,
                parameters: locals.len(),
                locals,
                block: Vec::new(),
                span: body.name.span,
                inputs: false,
            });
        }
    }

    fn body_kind(&mut self, body: &Body<'s>, instances: &mut usize) -> hir::BodyKind {
        match &body.kind {
            BodyKind::Process => {
                *instances += 1;
                if *instances == INSTANCES + 1 {
                    self.sink.push(too_many(body.name.span, "processes", INSTANCES));
                }
                hir::BodyKind::Process
            }
            BodyKind::ProcessArray(count, _) => {
                let count = self.length(*count, "the number of processes", "processes", INSTANCES, instances);
                hir::BodyKind::ProcessArray(count.unwrap_or(1))
            }
            BodyKind::Proc(_) => hir::BodyKind::Proc,
            BodyKind::Finally => hir::BodyKind::Finally,
        }
    }

    /// Checks what bodies do.
    pub(super) fn bodies(&mut self) {
        for (id, body) in (0..).map(BodyId).zip(self.written_bodies()) {
            self.reported.clear();
            self.locals.reset();
            for (ty, name) in parameters(body) {
                self.declare_local(name, ty, PARAMETER);
            }
            let context = match body.kind {
                BodyKind::Finally => Context::Finally,
                BodyKind::Process | BodyKind::ProcessArray(..) | BodyKind::Proc(_) => Context::Body,
            };
            let block = self.statements(id, &body.block, context);
            let checked = &mut self.program.bodies[id.index()];
            checked.block = block;
            checked.locals = self.locals.take();
        }
    }
}

/// The parameters of a body with their types; the index of an array of processes is one.
fn parameters<'b, 's>(body: &'b Body<'s>) -> impl Iterator<Item = (Type, Name<'s>)> + use<'b, 's> {
    let (index, declared) = match &body.kind {
        BodyKind::ProcessArray(_, index) => (Some((Type::Int, *index)), [].as_slice()),
        BodyKind::Proc(parameters) => (None, parameters.as_slice()),
        BodyKind::Process | BodyKind::Finally => (None, [].as_slice()),
    };
    index.into_iter().chain(declared.iter().copied())
}
