use expect_test::{Expect, expect};

use super::*;
use hirace_instrument::rewrite::{Selection, Skip};
use hirace_report::human::Style;

#[track_caller]
fn rejected(text: &str, expected: &Expect) {
    let error = Config::parse("hirace.toml", text).unwrap_err();
    let style = Style {
        width: 90,
        color: false,
        unicode: false,
    };
    // Every line begins with a blank, which an indented expectation cannot contain.
    let drawn: Vec<String> = style
        .draw(&error)
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
        .collect();
    expected.assert_eq(&drawn.concat());
}

#[test]
fn the_default_is_complete() {
    let default: File = toml::from_str(DEFAULT).unwrap();
    let monitor = &default.monitor;
    assert!(monitor.kernels.is_some() && monitor.exclude_kernels.is_some());
    assert!(monitor.variables.is_some() && monitor.exclude_variables.is_some());
    assert!(monitor.spaces.is_some() && monitor.blocks.is_some());
    assert!(default.semantics.is_complete() && default.check.is_complete());
    assert!(default.report.limit.is_some() && default.run.timeout.is_some());
    assert!(default.run.sample.is_some());
    assert!(default.explore.schedules.is_some() && default.explore.depth.is_some());
    assert!(default.shadow.is_some());
    assert!(default.skip.stable_reads.is_some() && default.skip.read_only_memory.is_some());
    let config = Config::builtin();
    assert_eq!(config.limit, Some(50));
    assert_eq!((config.timeout, config.sample), (None, None));
    assert_eq!(config.shadow, Shadow::default());
    assert_eq!(config.skip, Skip::default());
    let launch = config.monitor.launch("any");
    assert!(launch.monitor && launch.shared && launch.global);
    assert_eq!((launch.first_block, launch.last_block), (0, u32::MAX));
    assert!(config.monitor.monitors("any", "x"));
}

#[test]
fn what_a_file_leaves_out_is_the_default() {
    let config = Config::parse("f", "[report]\nlimit = 0\n[run]\ntimeout = 1.5\n").unwrap();
    assert_eq!(config.limit, None);
    assert_eq!(config.timeout, Some(1.5));
    assert_eq!(config.semantics.volatile, Volatile::Strong);
    assert!(config.monitor.launch("k").monitor);
}

#[test]
fn which_schedules_are_run() {
    let explore = |text: &str| Config::parse("f", text).unwrap().explore;
    let of = |keys: Explore| (keys.schedules.get(), keys.depth.get());
    assert_eq!(of(explore("")), (1, 3));
    assert_eq!(of(explore("[explore]\nschedules = 20\n")), (20, 3));
    assert_eq!(of(explore("[explore]\ndepth = 1\n")), (1, 1));
    for text in [
        "schedules = 0",
        "schedules = -1",
        "depth = 0",
        "depth = 101",
    ] {
        let error = Config::parse("f", &format!("[explore]\n{text}\n")).unwrap_err();
        assert!(error.to_string().contains("is not in 1..="), "{error}");
    }
}

#[test]
fn what_is_skipped() {
    let but_for = |key: &str| {
        let text = format!("[skip]\n{key} = false\n");
        Config::parse("f", &text).unwrap().skip
    };
    let all = Skip::default();
    let stable_reads = false;
    assert_eq!(
        but_for("stable-reads"),
        Skip {
            stable_reads,
            ..all
        }
    );
    let read_only_memory = false;
    let expected = Skip {
        read_only_memory,
        ..all
    };
    assert_eq!(but_for("read-only-memory"), expected);
    rejected(
        "[skip]\nstable-reads = 1\n",
        &expect![[r#"
         x bad configuration: invalid type: integer `1`, expected a boolean
          ,-[hirace.toml:2:16]
        1 | [skip]
        2 | stable-reads = 1
          :                |
          :                `-- here
          `----
    "#]],
    );
    rejected(
        "[skip]\nreads = true\n",
        &expect![[r#"
             x bad configuration: unknown field `reads`, expected `stable-reads` or
             | `read-only-memory`
              ,-[hirace.toml:2:1]
            1 | [skip]
            2 | reads = true
              : ^^|^^
              :   `-- here
              `----
        "#]],
    );
}

#[test]
fn kernels_and_variables_are_selected_by_pattern() {
    let text = r#"
        [monitor]
        kernels = ["bfs_*", "relax"]
        exclude-kernels = ["bfs_init"]
        exclude-variables = ["debug*"]
        spaces = ["global"]
        [[kernel]]
        name = "relax"
        variables = ["dist"]
        spaces = ["shared"]
        [[kernel]]
        name = "re*"
        blocks = "2..5"
    "#;
    let monitor = Config::parse("f", text).unwrap().monitor;
    assert!(monitor.launch("bfs_step").monitor);
    assert!(!monitor.launch("bfs_init").monitor);
    assert!(!monitor.launch("scan").monitor);
    assert!(monitor.monitors("bfs_step", "level"));
    assert!(!monitor.monitors("bfs_step", "debug_level"));
    assert!(!monitor.monitors("relax", "level"));
    let launch = monitor.launch("relax");
    assert!(launch.shared && !launch.global);
    assert_eq!((launch.first_block, launch.last_block), (2, 5));
}

#[test]
fn shadow_words() {
    let parse = |text| Config::parse("f", text).unwrap().shadow;
    assert_eq!(
        parse("[shadow]\nblock-bits = \"auto\"\n"),
        Shadow::default()
    );
    let all =
        "[shadow]\nthread-bits = 8\nblock-bits = 20\nblock-clock-bits = 12\nwarp-clock-bits = 8\n";
    assert_eq!(parse(all).widths, [8, 20, 12, 8]);
    assert_eq!(parse("[shadow]\nblock-bits = 30\n").widths, [0, 30, 0, 0]);
    assert_eq!(parse("[shadow]\nword-bytes = 4\n").size, Size::Four);
    let memory = parse("[shadow]\nmemory = \"cached\"\n").memory;
    assert_eq!(memory, Memory::Cached);
}

/// The headers have defaults for everything else.
#[test]
fn headers_are_told_what_a_file_asks_for() {
    let macros = |backend, text| Config::parse("f", text).unwrap().macros(backend).join(" ");
    let (cpu, gpu) = (Backend::Cpu, Backend::Gpu);
    assert_eq!(macros(gpu, ""), "");
    assert_eq!(
        macros(cpu, "[shadow]\nword-bytes = 4\nblock-bits = 12\n"),
        "-DHIRACE_WORD_BYTES=4"
    );
    let gpu_bits = |text, expected: [u32; 4]| {
        let names = ["THREAD", "BLOCK", "BLOCK_CLOCK", "WARP_CLOCK"];
        let options = names.iter().zip(expected);
        let expected: Vec<_> = options
            .map(|(name, bits)| format!("-DHIRACE_{name}_BITS={bits}"))
            .collect();
        let macros = macros(gpu, text).replace("-DHIRACE_WORD_BYTES=4 ", "");
        assert_eq!(macros, expected.join(" "));
    };
    gpu_bits("[shadow]\nblock-bits = 24\n", [10, 24, 8, 8]);
    gpu_bits(
        "[shadow]\nthread-bits = 8\nwarp-clock-bits = 2\n",
        [8, 24, 16, 2],
    );
    gpu_bits("[shadow]\nword-bytes = 4\nblock-bits = 14\n", [7, 14, 1, 1]);
    gpu_bits(
        "[shadow]\nword-bytes = 4\nthread-bits = 10\n",
        [10, 7, 3, 3],
    );
    assert_eq!(
        macros(
            gpu,
            "[semantics]\nvolatile = \"plain\"\nwarps = \"lockstep\"\n"
        ),
        "-DHIRACE_VOLATILE_PLAIN -DHIRACE_WARPS_LOCKSTEP"
    );
}

#[test]
fn benign_writes_are_asked_for() {
    let parse = |text| Config::parse("f", text).unwrap();
    let benign = parse("[check]\nsame-value-writes = \"benign\"\n");
    let variable = ("HIRACE_SAME_VALUE_WRITES", "benign");
    assert!(benign.semantics.variables().contains(&variable));
}

#[test]
fn predictions_are_asked_for() {
    let parse = |text| Config::parse("f", text).unwrap();
    let variables = ["", "[check]\npredict = true"].map(|it| parse(it).semantics.variables());
    for (variables, value) in variables.iter().zip(["off", "on"]) {
        assert!(variables.contains(&("HIRACE_PREDICT", value)));
    }
}

#[test]
fn unknown_keys_are_shown() {
    rejected(
        "[monitor]\nkernel = [\"a\"]\n",
        &expect![[r#"
             x bad configuration: unknown field `kernel`, expected one of `kernels`,
             | `exclude-kernels`, `variables`, `exclude-variables`, `spaces`, `blocks`
              ,-[hirace.toml:2:1]
            1 | [monitor]
            2 | kernel = ["a"]
              : ^^^|^^
              :    `-- here
              `----
        "#]],
    );
    rejected(
        "[raport]\nlimit = 3\n",
        &expect![[r#"
             x bad configuration: unknown field `raport`, expected one of `monitor`, `kernel`,
             | `skip`, `shadow`, `check`, `semantics`, `report`, `explore`, `run`, `cache`
              ,-[hirace.toml:1:2]
            1 | [raport]
              :  ^^^|^^
              :     `-- here
            2 | limit = 3
              `----
        "#]],
    );
}

#[test]
fn bad_values_are_shown() {
    rejected(
        "[report]\nlimit = -1\n",
        &expect![[r#"
              x bad configuration: -1 is not a number of races
               ,-[hirace.toml:2:9]
             1 | [report]
             2 | limit = -1
               :         ^|
               :          `-- here
               `----
        "#]],
    );
    rejected(
        "[semantics]\nvolatile = \"weak\"\n",
        &expect![[r#"
              x bad configuration: unknown variant `weak`, expected `strong` or `plain`
               ,-[hirace.toml:2:12]
             1 | [semantics]
             2 | volatile = "weak"
               :            ^^^|^^
               :               `-- here
               `----
        "#]],
    );
    rejected(
        "[monitor]\nblocks = \"5..2\"\n",
        &expect![[r#"
              x bad configuration: the range `5..2` is empty
               ,-[hirace.toml:2:10]
             1 | [monitor]
             2 | blocks = "5..2"
               :          ^^^|^^
               :             `-- here
               `----
        "#]],
    );
    rejected(
        "[monitor]\nkernels = [\"a\", \"b[\"]\n",
        &expect![[r#"
              x bad configuration: bad pattern: unclosed character class; missing ']'
               ,-[hirace.toml:2:11]
             1 | [monitor]
             2 | kernels = ["a", "b["]
               :           ^^^^^|^^^^^
               :                `-- here
               `----
        "#]],
    );
    rejected(
        "[shadow]\nblock-bits = 0\n",
        &expect![[r#"
              x bad configuration: 0 bits: expected 1 to 38
               ,-[hirace.toml:2:14]
             1 | [shadow]
             2 | block-bits = 0
               :              |
               :              `-- here
               `----
        "#]],
    );
    rejected(
        "[shadow]\nblock-bits = 30\nblock-clock-bits = 12\n",
        &expect![[r#"
             x bad configuration: the widths take 53 of 50 bits, including those that hirace
             | chooses
              ,-[hirace.toml:1:1]
            1 | [shadow]
              : ^^^^|^^^
              :     `-- here
            2 | block-bits = 30
              `----
        "#]],
    );
    rejected(
        "[run]\ntimeout = \"5s\"\n",
        &expect![[r#"
              x bad configuration: expected a number of seconds
               ,-[hirace.toml:2:11]
             1 | [run]
             2 | timeout = "5s"
               :           ^^|^
               :             `-- here
               `----
        "#]],
    );
    rejected(
        "[monitor\n",
        &expect![[r#"
              x bad configuration: unclosed table, expected `]`
               ,-[hirace.toml:1:9]
             1 | [monitor
               :         ^
               :         `-- here
               `----
        "#]],
    );
}

#[test]
fn the_nearest_file_upwards_counts() {
    let directory = tempfile::tempdir().unwrap();
    let deep = directory.path().join("a/b");
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::write(directory.path().join(FILE_NAME), "[report]\nlimit = 7\n").unwrap();
    let config = Config::load(None, &deep.join("x.cu")).unwrap();
    assert_eq!(config.limit, Some(7));
    std::fs::write(deep.join(FILE_NAME), "[report]\nlimit = 8\n").unwrap();
    let config = Config::load(None, &deep.join("x.cu")).unwrap();
    assert_eq!(config.limit, Some(8));
    let named = directory.path().join(FILE_NAME);
    let config = Config::load(Some(&named), &deep.join("x.cu")).unwrap();
    assert_eq!(config.limit, Some(7));
}

fn keys(keys: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    keys.iter().map(owned).collect()
}

#[test]
fn single_keys_have_values_as_in_a_file() {
    let config = Config::with_keys(
        None,
        &keys(&[
            ("check.engine", "order"),
            ("check.predict", "true"),
            ("explore.schedules", "5"),
            ("monitor.exclude-kernels", "[\"debug_*\"]"),
            ("cache.size", "2 MiB"),
            ("monitor.blocks", "\"0..15\""),
        ]),
    )
    .expect("valid");
    assert_eq!(config.semantics.engine, Engine::Order);
    assert!(config.semantics.predict);
    assert_eq!(config.explore.schedules.get(), 5);
    assert!(!config.monitor.launch("debug_dump").monitor);
    assert_eq!(config.cache.bytes, 2 << 20);
}

#[test]
fn single_keys_override_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("own.toml");
    let text =
        "[check]\nengine = \"machine\"\ninit-check = true\n[report]\nsuppressions = [\"a\"]\n";
    std::fs::write(&path, text).expect("written");
    let given = keys(&[("check.engine", "order"), ("run.timeout", "2.5")]);
    let config = Config::with_keys(Some(&path), &given).expect("valid");
    assert_eq!(config.semantics.engine, Engine::Order);
    assert!(config.semantics.init_check);
    assert_eq!(config.timeout, Some(2.5));
    assert_eq!(config.suppressions, [directory.path().join("a")]);
}

#[test]
fn mistakes_in_single_keys() {
    for (key, value, says) in [
        ("engine", "order", "`engine` is not a key"),
        ("check.engine", "fast", "unknown variant `fast`"),
        ("check.engines", "order", "unknown field `engines`"),
        ("run.timeout", "1\nx = 2", "expected a number of seconds"),
        (
            "run.timeout",
            "1\n[report]\nlimit = 3",
            "expected a number of seconds",
        ),
        ("a.b]\nc", "1", "is not a key"),
    ] {
        let error = Config::with_keys(None, &keys(&[(key, value)])).unwrap_err();
        let text = error.text();
        assert!(text.contains(says), "{text}");
    }
}
