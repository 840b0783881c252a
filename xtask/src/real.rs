//! `cargo xtask real`: what the analysis of locks says of programs of Debian.
//!
//! Sources come from where the packages of the system come from, and stay in `target/real`. Each
//! program is compiled to bitcode by clang, file by file, without its own build system but for what
//! `configure` writes. memcached needs the package `libevent-dev`, mksquashfs `zlib1g-dev`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::shell::{self, Result, root};

/// The analysis of a program is ended after so many seconds.
const MOST_SECONDS: &str = "120";

/// A program of a package.
struct Program {
    package: &'static str,
    name: &'static str,
    /// Runs `configure` with these arguments first.
    configure: Option<&'static [&'static str]>,
    /// The folders of its files, relative to the package's own.
    folders: &'static [&'static str],
    /// Files of these folders that are not part of it.
    without: &'static [&'static str],
    flags: &'static [&'static str],
}

const PROGRAMS: &[Program] = &[
    Program {
        package: "lbzip2",
        name: "lbzip2",
        configure: Some(&["--disable-dependency-tracking"]),
        folders: &["src"],
        without: &[],
        flags: &["-DHAVE_CONFIG_H", "-I.", "-Ilib", "-Isrc", "-include", "stdint.h", "-include", "inttypes.h"],
    },
    Program {
        package: "tgt",
        name: "tgtd",
        configure: None,
        folders: &["usr", "usr/iscsi"],
        without: &[
            "tgtadm.c",
            "tgtimg.c",
            "bs_aio.c",
            "bs_glfs.c",
            "bs_rbd.c",
            "bs_sheepdog.c",
            "isns.c",
            "iser.c",
            "iser_text.c",
        ],
        flags: &[
            "-DUSE_SIGNALFD",
            "-DUSE_TIMERFD",
            "-D_FILE_OFFSET_BITS=64",
            "-DTGT_VERSION=\"1\"",
            "-DBSDIR=\"/usr\"",
            "-Iusr",
        ],
    },
    Program {
        package: "libzstd",
        name: "zstd",
        configure: None,
        folders: &["lib/common", "lib/compress", "lib/decompress", "lib/dictBuilder", "programs"],
        without: &[],
        flags: &[
            "-DZSTD_MULTITHREAD",
            "-DZSTD_DISABLE_ASM",
            "-DZSTD_LEGACY_SUPPORT=0",
            "-DXXH_NAMESPACE=ZSTD_",
            "-Ilib",
            "-Ilib/common",
            "-Ilib/dictBuilder",
            "-Iprograms",
        ],
    },
    Program {
        package: "squashfs-tools",
        name: "mksquashfs",
        configure: None,
        folders: &["squashfs-tools"],
        without: &[
            "unsquashfs.c",
            "unsquash-1.c",
            "unsquash-2.c",
            "unsquash-3.c",
            "unsquash-4.c",
            "unsquash-34.c",
            "unsquash-123.c",
            "unsquash-1234.c",
            "unsquash-12.c",
            "unsquashfs_info.c",
            "unsquashfs_xattr.c",
            "lzma_wrapper.c",
            "lzma_xz_wrapper.c",
            "lzma_xz_options.c",
            "xz_wrapper.c",
            "lzo_wrapper.c",
            "lz4_wrapper.c",
            "zstd_wrapper.c",
        ],
        flags: &[
            "-D_FILE_OFFSET_BITS=64",
            "-D_LARGEFILE_SOURCE",
            "-DCOMP_DEFAULT=\"gzip\"",
            "-DGZIP_SUPPORT",
            "-DXATTR_SUPPORT",
            "-DXATTR_DEFAULT",
            "-DREPRODUCIBLE_DEFAULT",
            "-DVERSION=\"4\"",
            "-DDATE=\"today\"",
            "-DYEAR=\"now\"",
            "-Isquashfs-tools",
        ],
    },
    Program {
        package: "memcached",
        name: "memcached",
        configure: Some(&["--disable-dependency-tracking"]),
        folders: &["."],
        without: &[
            "darwin_priv.c",
            "freebsd_priv.c",
            "linux_priv.c",
            "md5.c",
            "openbsd_priv.c",
            "proto_proxy.c",
            "proxy_await.c",
            "proxy_config.c",
            "proxy_jump_hash.c",
            "proxy_lua.c",
            "proxy_network.c",
            "proxy_request.c",
            "proxy_ring_hash.c",
            "proxy_ustats.c",
            "proxy_xxhash.c",
            "sasl_defs.c",
            "sizes.c",
            "solaris_priv.c",
            "testapp.c",
            "timedrun.c",
            "tls.c",
        ],
        flags: &["-DHAVE_CONFIG_H", "-DNDEBUG", "-I."],
    },
];

/// Fetches, compiles and analyses all of them.
pub(crate) fn run() -> Result {
    let folder = root().join("target/real");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    shell::run(&mut shell::cargo(&["build", "--release", "--package", "mazurka-cli"]))?;
    let mut failed = 0;
    println!("| program | lines | answer | open | discharged | waits for communications | analysis |");
    println!("| --- | ---: | --- | ---: | ---: | ---: | ---: |");
    for program in PROGRAMS {
        match analyse(&folder, program) {
            Ok(row) => println!("{row}"),
            Err(error) => {
                failed += 1;
                println!("| {} | | {} | | | | |", program.name, error.lines().last().unwrap_or_default());
            }
        }
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} programs were not analysed")) }
}

/// The row of a program.
fn analyse(folder: &Path, program: &Program) -> Result<String> {
    let source = fetch(folder, program.package)?;
    if let Some(arguments) = program.configure
        && !source.join("config.status").exists()
    {
        shell::run(Command::new("./configure").args(arguments).current_dir(&source))?;
    }
    let files = files(&source, program)?;
    let bitcode = files.iter().map(|file| compile(&source, file, program)).collect::<Result<Vec<PathBuf>>>()?;
    let lines: usize = files.iter().filter_map(|file| std::fs::read(file).ok()).map(|text| count_lines(&text)).sum();
    let mut command = Command::new("timeout");
    command.arg(MOST_SECONDS).arg(root().join("target/release/mazurka"));
    command.arg("deadlocks").args(&bitcode).args(["--static", "--format", "json"]);
    let started = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    let whole = started.elapsed();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if said.is_empty() { format!("not ended after {MOST_SECONDS} s") } else { said }
    })?;
    std::fs::write(folder.join(format!("{}.json", program.name)), &output.stdout).map_err(|error| error.to_string())?;
    let list = |name: &str| json[name].as_array().cloned().unwrap_or_default();
    let with = |status: &str| list("cycles").iter().filter(|cycle| cycle["status"] == status).count();
    Ok(format!(
        "| {} | {lines} | {} | {} | {} | {} | {:.0} ms of {:.0} ms |",
        program.name,
        json["verdict"].as_str().unwrap_or_default(),
        with("unknown"),
        with("discharged"),
        list("undecided").len(),
        json["analysis_time_s"].as_f64().unwrap_or_default() * 1e3,
        whole.as_secs_f64() * 1e3,
    ))
}

fn count_lines(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// The files of a program.
fn files(source: &Path, program: &Program) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in program.folders {
        let entries = std::fs::read_dir(source.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        files.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    let is_part = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".c") && !program.without.contains(&name)
    };
    files.retain(is_part);
    files.sort();
    Ok(files)
}

/// Compiles a file, if that has not been done.
fn compile(source: &Path, file: &Path, program: &Program) -> Result<PathBuf> {
    let bitcode = file.with_extension("bc");
    if !bitcode.exists() {
        let mut command = Command::new(std::env::var_os("MAZURKA_CLANG").unwrap_or_else(|| "clang-19".into()));
        command.args(["-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-c", "-emit-llvm", "-D_GNU_SOURCE"]);
        shell::run(command.args(program.flags).arg(file).arg("-o").arg(&bitcode).current_dir(source))?;
    }
    Ok(bitcode)
}

/// The unpacked sources of a package.
fn fetch(folder: &Path, package: &str) -> Result<PathBuf> {
    let unpacked = folder.join(package);
    if unpacked.exists() {
        return Ok(unpacked);
    }
    let state = folder.join("apt");
    for part in ["lists/partial", "cache/archives/partial"] {
        std::fs::create_dir_all(state.join(part)).map_err(|error| error.to_string())?;
    }
    if !state.join("parts").exists() {
        sources(&state.join("parts"))?;
        shell::run(apt(&state).arg("update"))?;
    }
    // A part of a package that is not to be had may not be needed: what counts is the original.
    let _ = shell::run(apt(&state).args(["source", "--download-only", package]).current_dir(folder));
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let is_original = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(&format!("{package}_")) && name.contains(".orig.tar.") && !name.ends_with(".asc")
    };
    let original = entries.filter_map(|entry| Some(entry.ok()?.path())).find(is_original);
    let original = original.ok_or_else(|| format!("the sources of {package} are not to be had"))?;
    std::fs::create_dir_all(&unpacked).map_err(|error| error.to_string())?;
    let mut tar = Command::new("tar");
    shell::run(tar.arg("xf").arg(original).arg("-C").arg(&unpacked).arg("--strip-components=1"))?;
    Ok(unpacked)
}

/// Writes the system's own lists, for the sources of its packages.
fn sources(parts: &Path) -> Result {
    std::fs::create_dir_all(parts).map_err(|error| error.to_string())?;
    let folder = std::fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten();
    let files = folder.filter_map(|entry| Some(entry.ok()?.path()));
    for file in files.chain([PathBuf::from("/etc/apt/sources.list")]) {
        let (Ok(text), Some(name)) = (std::fs::read_to_string(&file), file.file_name()) else { continue };
        let line = |line: &str| match line.strip_prefix("deb ") {
            Some(rest) => format!("deb-src {rest}\n"),
            None => format!("{}\n", line.replace("Types: deb", "Types: deb-src").replace("deb-src-src", "deb-src")),
        };
        let text: String = text.lines().map(line).collect();
        std::fs::write(parts.join(name), text).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// `apt-get` with lists of its own.
fn apt(state: &Path) -> Command {
    let mut command = Command::new("apt-get");
    let option = |name: &str, value: PathBuf| format!("{name}={}", value.display());
    for option in [
        option("Dir::Etc::sourcelist", PathBuf::from("/dev/null")),
        option("Dir::Etc::sourceparts", state.join("parts")),
        option("Dir::State::lists", state.join("lists")),
        option("Dir::Cache", state.join("cache")),
    ] {
        command.arg("-o").arg(option);
    }
    command
}
