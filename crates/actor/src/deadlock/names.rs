//! Abstract things in the words of the program.

use std::sync::Arc;

use mazurka_machine::Place;

use super::graph::{Edge, Node};
use super::world::{ObjectId, TaskId, World};
use crate::code::{Image, Pc};
use crate::machine::Wait;

/// Names for what the analysis speaks of.
pub(super) struct Names {
    image: Arc<Image>,
    objects: Vec<String>,
    tasks: Vec<String>,
}

impl Names {
    pub(super) fn of(image: &Arc<Image>, world: &World) -> Self {
        let mut names = Names { image: Arc::clone(image), objects: Vec::new(), tasks: Vec::new() };
        for number in 0..world.objects.len() {
            let name = names.object(world, ObjectId(number as u32));
            names.objects.push(name);
        }
        for task in &world.tasks {
            let method = &image.bodies[task.body as usize].name;
            let name = match task.object {
                ObjectId::MAIN => "main".to_owned(),
                object => format!("`{method}` of {}", names.objects[object.index()]),
            };
            names.tasks.push(name);
        }
        names
    }

    pub(super) fn image(&self) -> &Image {
        &self.image
    }

    /// The class, and where it was made; also by whom, where only that tells objects apart.
    fn object(&self, world: &World, object: ObjectId) -> String {
        let (Some(class), sites) = (world.classes[object.index()], &world.objects[object.index()].sites) else {
            return "main".to_owned();
        };
        let name = &self.image.classes[class as usize].name;
        if sites.is_empty() {
            return name.clone();
        }
        let is_like = |other: &&super::world::Object| other.sites.first() == sites.first();
        let alone = world.objects.iter().filter(is_like).count() == 1;
        let shown = if alone { 1 } else { sites.len() };
        let lines: Vec<String> = sites[..shown].iter().map(|&site| self.line(site)).collect();
        format!("{name} ({})", lines.join(" from "))
    }

    pub(super) fn place(&self, pc: Pc) -> Place {
        self.image.place_of(self.image.places[pc as usize])
    }

    /// `line 12`, with the file where there are several.
    pub(super) fn line(&self, pc: Pc) -> String {
        let place = self.place(pc);
        let file = if self.image.has_files() { format!(" of {}", place.file) } else { String::new() };
        format!("line {}{file}", place.line)
    }

    pub(super) fn location(&self, location: ObjectId) -> &str {
        &self.objects[location.index()]
    }

    pub(super) fn task(&self, task: TaskId) -> &str {
        &self.tasks[task.index()]
    }

    pub(super) fn node(&self, node: Node) -> &str {
        match node {
            Node::Location(location) => self.location(location),
            Node::Task(task) => self.task(task),
        }
    }

    /// One line of a cycle; the next one says for whom.
    pub(super) fn edge(&self, edge: &Edge) -> String {
        let (from, line) = (self.node(edge.from), self.line(edge.points[0].pc));
        match (edge.from, edge.wait) {
            (Node::Location(_), _) => {
                format!("{from} is blocked at {line} by {}, which waits for", self.task(edge.task))
            }
            (Node::Task(_), Wait::Get) => format!("{from}, which waits at {line} for"),
            (Node::Task(_), Wait::Await) => format!("{from}, which awaits at {line}"),
            (Node::Task(_), Wait::Lock) => format!("{from}, which needs"),
        }
    }
}
