//! Files that keep explorations, so that these can go on later.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mazurka_explore::{Algorithm, Checkpoint, Counts, Distinct, KeptNode, Options, Told};
use mazurka_report::{fault_kind, fault_name};
use mazurka_trace::{Limit, SiteId};
use serde::{Deserialize, Serialize};

use crate::files;
use crate::load::{Loaded, hash};
use crate::refusal::Refusal;

/// What the first line of our files begins with; the version of the format follows, and then a
/// digest of all that comes after that line.
const FORMAT: &str = "mazurka-checkpoint 1";

/// The limits that are kept, with their names: what was left out stays left out.
const LIMITS: &[(Limit, &str)] = &[(Limit::Depth, "depth"), (Limit::Fuel, "instructions")];

/// What an exploration belongs to: it goes on only with the same program, explored in the same way,
/// by the same version.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct Purpose {
    version: String,
    program: String,
    source_hash: String,
    settings: serde_json::Value,
    max_instructions: u64,
    algorithm: String,
    all: bool,
    max_depth: usize,
}

impl Purpose {
    /// Of a check of a program.
    pub(crate) fn of(loaded: &Loaded, algorithm: Algorithm, options: &Options) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: loaded.path.clone(),
            source_hash: loaded.source_hash.clone(),
            settings: serde_json::to_value(&loaded.settings).expect("settings have only strings for keys"),
            max_instructions: loaded.settings.max_instructions,
            algorithm: algorithm.to_string(),
            all: options.all,
            max_depth: options.limits.depth,
        }
    }

    /// What is different here, if anything that counts is. Files may be called otherwise.
    fn difference(&self, other: &Purpose) -> Option<String> {
        let explored = |what: &str, ours: &dyn ToString, theirs: &dyn ToString| {
            Some(format!("it was made with {what} `{}`, and this is `{}`", theirs.to_string(), ours.to_string()))
        };
        if self.version != other.version {
            return explored("version", &self.version, &other.version);
        }
        if self.source_hash != other.source_hash {
            return Some(format!("it is of another program: `{}`, or the files have changed since", other.program));
        }
        if self.algorithm != other.algorithm {
            return explored("-a", &self.algorithm, &other.algorithm);
        }
        if self.all != other.all {
            return explored("--all:", &self.all, &other.all);
        }
        if self.max_depth != other.max_depth {
            return explored("--max-depth", &self.max_depth, &other.max_depth);
        }
        if self.max_instructions != other.max_instructions {
            return explored("--max-instructions", &self.max_instructions, &other.max_instructions);
        }
        if self.settings != other.settings {
            let what =
                "it was made with other options for the program (such as -D, -I, arguments, or what is a failure)";
            return Some(what.to_owned());
        }
        None
    }
}

/// What stands in a file.
#[derive(Serialize, Deserialize)]
struct Document {
    purpose: Purpose,
    /// The names of processes that occur in the nodes.
    names: Vec<String>,
    /// Parent, name, whether it is whole, values.
    nodes: Vec<(u32, u32, u8, Vec<i64>)>,
    tasks: Vec<u32>,
    counts: KeptCounts,
    violations: Vec<KeptViolation>,
    notes: Vec<Vec<i64>>,
}

#[derive(Serialize, Deserialize)]
struct KeptCounts {
    executions: u64,
    blocked: u64,
    assume_blocked: u64,
    events: u64,
    nodes: u64,
    max_events: u64,
    limits: Vec<String>,
    busiest: Option<(String, usize, u64, u64)>,
    endless: Option<(String, usize)>,
    seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct KeptViolation {
    kind: String,
    process: String,
    site: usize,
    waiting: Vec<(String, usize)>,
    schedule: Vec<(String, Vec<i64>)>,
    executions: u64,
}

/// A file that keeps an exploration.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    path: PathBuf,
    purpose: Purpose,
}

impl Keeper {
    /// A file for this.
    pub(crate) fn new(path: PathBuf, purpose: Purpose) -> Self {
        Self { path, purpose }
    }

    /// Writes the file anew; as long as that is not done, the old one is there.
    pub(crate) fn write(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        let body = serde_json::to_string(&Document::of(&self.purpose, checkpoint)).map_err(io::Error::other)?;
        let mut new = self.path.clone().into_os_string();
        new.push(".new");
        let mut file = File::create(&new)?;
        write!(file, "{FORMAT} {}\n{body}\n", hash(body.bytes()))?;
        file.sync_all()?;
        drop(file);
        fs::rename(&new, &self.path)?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Not every system can do that with a folder.
        File::open(folder).and_then(|folder| folder.sync_all()).or(Ok(()))
    }
}

/// Reads the exploration in a file, which is to be gone on with for this purpose.
pub(crate) fn read(path: &Path, purpose: &Purpose) -> Result<Checkpoint, Refusal> {
    let name = path.display().to_string();
    let text = files::read(path, &name)?;
    let refuse = |reason: &str| {
        let help = "checkpoints are written by `mazurka check PROGRAM --checkpoint FILE`";
        Refusal::with_help(format!("`{name}` cannot be resumed: {reason}"), help)
    };
    let (head, body) = text.split_once('\n').ok_or_else(|| refuse("it is no checkpoint"))?;
    let digest = head.strip_prefix(FORMAT).ok_or_else(|| {
        let other = head.starts_with("mazurka-checkpoint");
        refuse(if other { "another version of Mazurka has written it" } else { "it is no checkpoint" })
    })?;
    let body = body.strip_suffix('\n').unwrap_or(body);
    if digest.trim() != hash(body.bytes()) {
        return Err(refuse("it is damaged or cut off"));
    }
    let document: Document = serde_json::from_str(body).map_err(|error| refuse(&format!("it is damaged ({error})")))?;
    if let Some(difference) = purpose.difference(&document.purpose) {
        return Err(refuse(&difference));
    }
    let checkpoint = document.into_checkpoint().filter(Checkpoint::is_sound);
    checkpoint.ok_or_else(|| refuse("it is damaged"))
}

impl Document {
    fn of(purpose: &Purpose, checkpoint: &Checkpoint) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut numbers: HashMap<Arc<str>, u32> = HashMap::new();
        let mut number = |name: &Arc<str>| {
            *numbers.entry(Arc::clone(name)).or_insert_with(|| {
                names.push(name.to_string());
                names.len() as u32 - 1
            })
        };
        let nodes = checkpoint.nodes.iter();
        let nodes = nodes.map(|node| (node.parent, number(&node.process), u8::from(node.whole), node.values.to_vec()));
        Self {
            purpose: purpose.clone(),
            nodes: nodes.collect(),
            names,
            tasks: checkpoint.tasks.clone(),
            counts: KeptCounts::of(&checkpoint.counts),
            violations: checkpoint.violations.iter().map(KeptViolation::of).collect(),
            notes: checkpoint.notes.clone(),
        }
    }

    /// None if it is damaged.
    fn into_checkpoint(self) -> Option<Checkpoint> {
        let names: Vec<Arc<str>> = self.names.into_iter().map(Arc::from).collect();
        let node = |(parent, name, whole, values): (u32, u32, u8, Vec<i64>)| {
            let process = Arc::clone(names.get(name as usize)?);
            Some(KeptNode { parent, process, values: values.into(), whole: whole != 0 })
        };
        Some(Checkpoint {
            nodes: self.nodes.into_iter().map(node).collect::<Option<_>>()?,
            tasks: self.tasks,
            counts: self.counts.into_counts()?,
            violations: self.violations.into_iter().map(KeptViolation::into_told).collect::<Option<_>>()?,
            notes: self.notes,
        })
    }
}

impl KeptCounts {
    fn of(counts: &Counts) -> Self {
        let kept = LIMITS.iter().filter(|(limit, _)| counts.limits.contains(limit));
        let busiest = counts.busiest.as_ref();
        Self {
            executions: counts.executions,
            blocked: counts.blocked,
            assume_blocked: counts.assume_blocked,
            events: counts.events,
            nodes: counts.nodes,
            max_events: counts.max_events,
            limits: kept.map(|&(_, name)| name.to_owned()).collect(),
            busiest: busiest.map(|(name, site, events, of)| (name.clone(), site.index(), *events, *of)),
            endless: counts.endless.as_ref().map(|(name, site)| (name.clone(), site.index())),
            seconds: counts.time.as_secs_f64(),
        }
    }

    fn into_counts(self) -> Option<Counts> {
        let limit = |name: String| LIMITS.iter().find(|known| known.1 == name).map(|known| known.0);
        Some(Counts {
            executions: self.executions,
            blocked: self.blocked,
            assume_blocked: self.assume_blocked,
            events: self.events,
            nodes: self.nodes,
            max_events: self.max_events,
            limits: self.limits.into_iter().map(limit).collect::<Option<_>>()?,
            busiest: self.busiest.map(|(name, site, events, of)| (name, SiteId::new(site), events, of)),
            endless: self.endless.map(|(name, site)| (name, SiteId::new(site))),
            time: Duration::try_from_secs_f64(self.seconds).ok()?,
        })
    }
}

impl KeptViolation {
    fn of(told: &Told) -> Self {
        let Distinct { site, kind, process, waiting } = &told.distinct;
        Self {
            kind: fault_name(*kind).to_owned(),
            process: process.clone(),
            site: site.index(),
            waiting: waiting.iter().map(|(name, site)| (name.clone(), site.index())).collect(),
            schedule: told.schedule.clone(),
            executions: told.executions,
        }
    }

    fn into_told(self) -> Option<Told> {
        let waiting = self.waiting.into_iter().map(|(name, site)| (name, SiteId::new(site))).collect();
        let (site, kind) = (SiteId::new(self.site), fault_kind(&self.kind)?);
        let distinct = Distinct { site, kind, process: self.process, waiting };
        Some(Told { distinct, schedule: self.schedule, executions: self.executions })
    }
}
