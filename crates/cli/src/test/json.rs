//! Tests for programs, and running them again.

use std::path::Path;

use mazurka::methods::{Tested, run};
use mazurka::{Dialect, Loaded, Refusal, Settings};
use mazurka_actor::{Image, Situation};
use serde::{Deserialize, Serialize};

use super::text::covered;
use super::{Report, begin, ended_name, image};
use crate::actor::of_methods;
use crate::load::{Given, load};
use crate::status::Status;

/// The object of `test`.
#[derive(Serialize)]
struct Object<'a> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    target: &'a str,
    settings: SettingsObject,
    coverage: CoverageObject<'a>,
    /// What bounds, limits and cuts were reached, how often.
    bounds: &'a std::collections::BTreeMap<String, u64>,
    complete: bool,
    paths: usize,
    tests: Vec<TestObject>,
    left_out: usize,
}

#[derive(Serialize, Deserialize)]
struct SettingsObject {
    dialect: Option<String>,
    defines: Vec<String>,
}

#[derive(Serialize)]
struct CoverageObject<'a> {
    criterion: &'static str,
    wanted: usize,
    reached: usize,
    missed: Vec<MissedObject<'a>>,
}

#[derive(Serialize)]
struct MissedObject<'a> {
    place: &'a str,
    what: &'a str,
    why: &'a str,
}

#[derive(Serialize, Deserialize)]
struct StepObject {
    task: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    choices: Vec<i64>,
}

#[derive(Serialize, Deserialize)]
struct NamedObject {
    name: String,
    #[serde(default)]
    class: String,
    fields: Vec<FieldObject>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct FieldObject {
    name: String,
    value: String,
}

#[derive(Serialize, Deserialize)]
struct TaskObject {
    object: String,
    method: String,
    arguments: Vec<FieldObject>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct ResultObject {
    task: String,
    result: String,
}

/// A test.
#[derive(Serialize, Deserialize)]
struct TestObject {
    id: usize,
    /// Objects and tasks with their values, for `mazurka test --context` and `mazurka replay`.
    begin: String,
    objects: Vec<NamedObject>,
    tasks: Vec<TaskObject>,
    constraint: Vec<String>,
    schedule: Vec<StepObject>,
    outcome: String,
    results: Vec<ResultObject>,
    waiting: Vec<ResultObject>,
    #[serde(rename = "final")]
    last: Vec<NamedObject>,
    /// Lines.
    covers: Vec<usize>,
}

/// The object, as text.
pub(super) fn text(report: &Report<'_>) -> String {
    let selection = report.selection;
    let missed = selection.missed.iter();
    let object = Object {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &report.loaded.path,
        target: &report.target,
        settings: SettingsObject {
            dialect: report.arguments.dialect.map(|dialect| dialect_name(dialect).to_owned()),
            defines: report.arguments.defines.clone(),
        },
        coverage: CoverageObject {
            criterion: report.arguments.coverage.name(),
            wanted: selection.wanted,
            reached: selection.covered,
            missed: missed.map(|one| MissedObject { place: &one.place, what: &one.what, why: &one.why }).collect(),
        },
        bounds: &report.explored.reached,
        complete: report.explored.is_complete(),
        paths: report.explored.tested.len(),
        tests: report.tests().enumerate().filter_map(|(number, tested)| test(report, number + 1, tested)).collect(),
        left_out: report.explored.tested.len() - selection.tests.len(),
    };
    crate::json::text(&object)
}

fn dialect_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Abs => "abs",
        Dialect::Syco => "syco",
    }
}

fn test(report: &Report<'_>, id: usize, tested: &Tested) -> Option<TestObject> {
    let situation = begin(tested)?;
    let image = report.image;
    let summary = tested.summary();
    let field = |(name, datum): (&String, &mazurka_actor::Datum)| FieldObject {
        name: name.clone(),
        value: situation.value_text(image, datum),
    };
    let objects = situation.objects.iter().map(|thing| NamedObject {
        name: thing.name.clone(),
        class: image.class_name(thing.class).to_owned(),
        fields: image.fields_of(thing.class).iter().zip(&thing.fields).map(field).collect(),
    });
    let tasks = situation.tasks.iter().map(|call| {
        let names = image.parameters_of(call.method);
        TaskObject {
            object: situation.objects[call.object].name.clone(),
            method: image.method_name(call.method),
            arguments: names.iter().zip(&call.arguments).map(field).collect(),
        }
    });
    let pair = |(task, result): &(String, String)| ResultObject { task: task.clone(), result: result.clone() };
    Some(TestObject {
        id,
        begin: situation.text(image),
        objects: objects.collect(),
        tasks: tasks.collect(),
        constraint: tested.path.conditions.clone(),
        schedule: tested
            .path
            .schedule
            .iter()
            .map(|(task, choices)| StepObject { task: task.clone(), choices: choices.clone() })
            .collect(),
        outcome: ended_name(summary.ended).to_owned(),
        results: summary.results.iter().map(pair).collect(),
        waiting: summary.waiting.iter().map(pair).collect(),
        last: last(summary),
        covers: covered(report, tested).into_iter().collect(),
    })
}

fn last(summary: &mazurka_actor::Summary) -> Vec<NamedObject> {
    let of = |(name, fields): &(String, Vec<(String, String)>)| {
        let fields = fields.iter().map(|(name, value)| FieldObject { name: name.clone(), value: value.clone() });
        NamedObject { name: name.clone(), class: String::new(), fields: fields.collect() }
    };
    summary.objects.iter().map(of).collect()
}

/// What `replay` reads of a file of tests.
#[derive(Deserialize)]
struct Tests {
    settings: SettingsObject,
    tests: Vec<TestObject>,
}

/// Whether a name is that of a test in a file: `tests.json#3`.
pub(crate) fn is_tests(trace: &Path) -> bool {
    let name = trace.to_string_lossy();
    name.rsplit_once('#')
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Runs a test of a file again.
pub(crate) fn replay(programs: &[std::path::PathBuf], trace: &Path) -> Result<Status, Refusal> {
    let name = trace.to_string_lossy();
    let (file, number) = name.rsplit_once('#').unwrap_or((&name, ""));
    let text = std::fs::read_to_string(file).map_err(|error| Refusal::new(format!("cannot read `{file}`: {error}")))?;
    let tests: Tests = serde_json::from_str(&text).map_err(|error| {
        Refusal::with_help(
            format!("`{file}` is no file of tests: {error}"),
            "`mazurka test … --format json -o FILE` writes one",
        )
    })?;
    let wanted = tests.tests.iter().find(|test| test.id.to_string() == number);
    let Some(test) = wanted else {
        return Err(Refusal::new(format!("`{file}` has {} tests, and no test {number}", tests.tests.len())));
    };
    let dialect = match tests.settings.dialect.as_deref() {
        Some("abs") => Some(Dialect::Abs),
        Some("syco") => Some(Dialect::Syco),
        _ => None,
    };
    let settings = Settings {
        defines: tests.settings.defines.clone(),
        max_instructions: super::MAX_INSTRUCTIONS,
        actor: of_methods(dialect),
        ..Settings::default()
    };
    let loaded = load(programs, &settings, Given::default())?;
    let output = rerun(&loaded, image(&loaded)?, test, number)?;
    crate::terminal::print(&output.0).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))?;
    Ok(output.1)
}

fn rerun(loaded: &Loaded, image: &Image, test: &TestObject, number: &str) -> Result<(String, Status), Refusal> {
    let misfit = |why: String| Refusal::new(format!("test {number} does not fit `{}`: {why}", loaded.path));
    let situation = Situation::read(&test.begin, image).map_err(|wrong| misfit(wrong.message))?;
    let schedule: Vec<(String, Vec<i64>)> =
        test.schedule.iter().map(|step| (step.task.clone(), step.choices.clone())).collect();
    let ran = run(image, &situation, &schedule, super::MAX_INSTRUCTIONS).map_err(misfit)?;
    let summary = &ran.summary;
    let pair = |(task, result): &(String, String)| ResultObject { task: task.clone(), result: result.clone() };
    let results: Vec<ResultObject> = summary.results.iter().map(pair).collect();
    let found = last(summary);
    let is_there =
        |wanted: &NamedObject| found.iter().any(|object| object.name == wanted.name && object.fields == wanted.fields);
    let same = ended_name(summary.ended) == test.outcome && results == test.results && test.last.iter().all(is_there);
    let mut text = format!("test {number}: {}\n", test.begin);
    let verdict = if same { "as before" } else { "something else than before" };
    text.push_str(&format!("{}: {verdict}\n", ended_name(summary.ended)));
    for (task, result) in summary.results.iter().filter(|(task, _)| task != "main") {
        text.push_str(&format!("  result   {task}: {result}\n"));
    }
    for (task, place) in &summary.waiting {
        text.push_str(&format!("  waits    {task} at {place}\n"));
    }
    Ok((text, if same { Status::Verified } else { Status::Violation }))
}
