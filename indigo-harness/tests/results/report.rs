//! `hirace-indigo report`: from a database written here to tables.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::{Expect, expect};
use hirace_indigo::results::plot::{Plot, Width};
use hirace_indigo::results::{Document, csv, html, markdown};
use hirace_indigo::store::{Store, Verdict};
use tempfile::TempDir;

use crate::sample::{Line, database, line};

fn document(lines: &[Line]) -> Document {
    let folder = tempfile::tempdir().unwrap();
    let store = database(&folder.path().join("sweep.sqlite"), lines);
    Document::of(&store.results().unwrap())
}

/// The table of that name as CSV.
#[track_caller]
fn check(lines: &[Line], name: &str, expected: Expect) {
    let document = document(lines);
    let table = document.tables().find(|table| table.name == name);
    expected.assert_eq(&table.map_or_else(String::new, csv::render));
}

/// Two racy programs, one of them racing on one graph only; a clean one; an unlabelled one.
fn found_and_missed() -> Vec<Line> {
    use Verdict::{Clean, Crash, Differ, Match, Race, Timeout};
    let rows = [
        ("pull_raceBug", "star", Match, Race),
        ("pull_raceBug", "grid", Differ, Clean),
        ("push_atomicBug", "star", Match, Clean),
        ("push_atomicBug", "grid", Match, Timeout),
        ("pull", "star", Match, Clean),
        ("pull", "grid", Match, Race),
        ("push_unknown", "star", Match, Race),
        ("push_unknown", "grid", Crash, Crash),
    ];
    let both = rows
        .into_iter()
        .flat_map(|(program, graph, baseline, cpu)| {
            [
                line(program, graph, "baseline", baseline),
                line(program, graph, "hirace-cpu", cpu),
            ]
        });
    both.collect()
}

#[test]
fn found_and_missed_by_tool_and_graph() {
    check(
        &found_and_missed(),
        "verdicts",
        expect![[r#"
            tool,graph,found,missed,recall,false_alarms,quiet,unlabelled_races,unlabelled_clean,unjudged
            baseline,star,0,2,0,0,1,0,1,0
            baseline,grid,1,1,0.5,0,1,0,0,1
            baseline,any graph,1,1,0.5,0,1,0,1,0
            hirace-cpu,star,1,1,0.5,0,1,1,0,0
            hirace-cpu,grid,0,1,0,1,0,0,0,2
            hirace-cpu,any graph,1,1,0.5,1,0,1,0,0
        "#]],
    );
    check(
        &found_and_missed(),
        "runs",
        expect![[r#"
            tool,verdict,runs
            baseline,match,6
            baseline,differ,1
            baseline,crash,1
            hirace-cpu,race,3
            hirace-cpu,clean,3
            hirace-cpu,timeout,1
            hirace-cpu,crash,1
        "#]],
    );
}

#[test]
fn found_and_missed_by_trait() {
    check(
        &found_and_missed(),
        "by-pattern",
        expect![[r#"
            value,tool,found,missed,recall,false_alarms,quiet,unlabelled_races,unlabelled_clean,unjudged
            pull,baseline,1,1,0.5,0,2,0,0,0
            pull,hirace-cpu,1,1,0.5,1,1,0,0,0
            push,baseline,0,2,0,0,0,0,1,1
            push,hirace-cpu,0,1,0,0,0,1,0,2
        "#]],
    );
    check(
        &found_and_missed(),
        "by-bug",
        expect![[r#"
            value,tool,found,missed,recall,false_alarms,quiet,unlabelled_races,unlabelled_clean,unjudged
            atomicBug,baseline,0,2,0,0,0,0,0,0
            atomicBug,hirace-cpu,0,1,0,0,0,0,0,1
            none,baseline,0,0,,0,2,0,1,1
            none,hirace-cpu,0,0,,1,1,1,0,1
            raceBug,baseline,1,1,0.5,0,0,0,0,0
            raceBug,hirace-cpu,1,1,0.5,0,0,0,0,0
        "#]],
    );
    check(
        &found_and_missed(),
        "by-option",
        expect![[r#"
            value,tool,found,missed,recall,false_alarms,quiet,unlabelled_races,unlabelled_clean,unjudged
            none,baseline,1,3,0.25,0,2,0,0,0
            none,hirace-cpu,1,2,0.333333333,1,1,0,0,1
            unknown,baseline,0,0,,0,0,0,1,1
            unknown,hirace-cpu,0,0,,0,0,1,0,1
        "#]],
    );
    check(&found_and_missed(), "by-suite", expect![[""]]);
}

/// With several shapes there is a table for the first shape and one for all: a race that only the
/// second shape shows is missed in the first.
#[test]
fn exploration_is_counted_separately() {
    let second = |verdict| Line {
        shape: (64, 2, 16),
        ..line("pull_raceBug", "star", "hirace-cpu", verdict)
    };
    let first = line("pull_raceBug", "star", "hirace-cpu", Verdict::Clean);
    let lines = [first, second(Verdict::Race)];
    check(
        &lines,
        "verdicts-first-shape",
        expect![[r#"
            tool,graph,found,missed,recall,false_alarms,quiet,unjudged
            hirace-cpu,star,0,1,0,0,0,0
            hirace-cpu,any graph,0,1,0,0,0,0
        "#]],
    );
    check(
        &lines,
        "verdicts",
        expect![[r#"
            tool,graph,found,missed,recall,false_alarms,quiet,unjudged
            hirace-cpu,star,1,0,1,0,0,0
            hirace-cpu,any graph,1,0,1,0,0,0
        "#]],
    );
    check(
        &lines,
        "wrong",
        expect![[r#"
            tool,kind,program,graphs,shape,command
            hirace-cpu,"missed here, found elsewhere",pull_raceBug,star,256x8,hirace-indigo sweep --exact pull_raceBug --graph star --shape 256x8 --tool hirace-cpu --database again.sqlite
        "#]],
    );
}

fn timed(tool: &'static str, program: &'static str, seconds: f64) -> Line {
    Line {
        seconds,
        kernel_seconds: (tool != "racecheck").then_some(seconds / 4.0),
        peak_bytes: Some((seconds * 1000.0) as u64),
        ..line(program, "star", tool, Verdict::Clean)
    }
}

#[test]
fn costs_are_relative_to_the_run_without_a_checker() {
    let mut lines = vec![
        timed("baseline", "pull", 2.0),
        timed("baseline", "push", 4.0),
        timed("baseline-gpu", "pull", 0.5),
        timed("hirace-cpu", "pull", 8.0),
        timed("hirace-cpu", "push", 64.0),
        // Its reference is missing.
        timed("hirace-cpu", "scan", 64.0),
        timed("hirace-gpu", "pull", 1.0),
        timed("racecheck", "pull", 50.0),
    ];
    // Its full duration is unknown.
    lines.push(Line {
        verdict: Verdict::Timeout,
        ..timed("racecheck", "push", 99.0)
    });
    check(
        &lines,
        "slowdown",
        expect![[r#"
            tool,pattern,runs,short,geometric_mean,median,lower_quartile,upper_quartile,least,most
            hirace-cpu,pull,1,0,4,4,4,4,4,4
            hirace-cpu,push,1,0,16,16,16,16,16,16
            hirace-cpu,all patterns,2,0,8,10,7,13,4,16
            hirace-gpu,pull,1,0,2,2,2,2,2,2
            racecheck,pull,1,0,100,100,100,100,100,100
        "#]],
    );
    check(
        &lines,
        "slowdown-kernels",
        expect![[r#"
            tool,pattern,runs,short,geometric_mean,median,lower_quartile,upper_quartile,least,most
            hirace-cpu,pull,1,0,4,4,4,4,4,4
            hirace-cpu,push,1,0,16,16,16,16,16,16
            hirace-cpu,all patterns,2,0,8,10,7,13,4,16
            hirace-gpu,pull,1,0,2,2,2,2,2,2
        "#]],
    );
    check(
        &lines,
        "memory",
        expect![[r#"
            tool,pattern,runs,geometric_mean,median,lower_quartile,upper_quartile,least,most
            hirace-cpu,pull,1,4,4,4,4,4,4
            hirace-cpu,push,1,16,16,16,16,16,16
            hirace-cpu,all patterns,2,8,10,7,13,4,16
            hirace-gpu,pull,1,2,2,2,2,2,2
            racecheck,pull,1,100,100,100,100,100,100
        "#]],
    );
    let text = markdown::render(&document(&lines));
    let left_out =
        "Runs left out: 1 without a counterpart (hirace (CPU)), 1 without an end (racecheck).";
    assert!(text.contains(left_out), "{text}");
}

#[test]
fn the_whole_text() {
    let lines = found_and_missed();
    expect![[r#"
        # Results of a sweep

        - 4 programs: 2 racy, 1 clean, 1 without a label
        - Suite: sample
        - Graphs: star (5 vertices, 8 edges), grid (5 vertices, 8 edges)
        - Shapes (threads × blocks): 256x8
        - Tools: sequential comparison, hirace (CPU)
        - Machine: a machine
        - hirace: 0.1.0

        ## Found and missed

        A race is found where a tool reports one, and by the sequential comparison where the result differs from that of the program's own sequential code. Runs without a verdict count neither as found nor as missed. An access out of bounds can change any result: what is reported of a program that has one, and no race, is no false alarm, and no verdict.

        Programs by tool and graph, launched with the shape 256x8.

        | tool                  | graph     | races found | missed | recall | false alarms | rightly clean | unlabelled: race | unlabelled: clean | no verdict         |
        | --------------------- | --------- | ----------: | -----: | -----: | -----------: | ------------: | ---------------: | ----------------: | ------------------ |
        | sequential comparison | star      |           0 |      2 |  0.0 % |            0 |             1 |                0 |                 1 |                    |
        | sequential comparison | grid      |           1 |      1 | 50.0 % |            0 |             1 |                0 |                 0 | 1 crash            |
        | sequential comparison | any graph |           1 |      1 | 50.0 % |            0 |             1 |                0 |                 1 |                    |
        | hirace (CPU)          | star      |           1 |      1 | 50.0 % |            0 |             1 |                1 |                 0 |                    |
        | hirace (CPU)          | grid      |           0 |      1 |  0.0 % |            1 |             0 |                0 |                 0 | 1 timeout, 1 crash |
        | hirace (CPU)          | any graph |           1 |      1 | 50.0 % |            1 |             0 |                1 |                 0 |                    |

        Runs by tool and verdict.

        | tool                  | verdict | runs |
        | --------------------- | ------- | ---: |
        | sequential comparison | match   |    6 |
        | sequential comparison | differ  |    1 |
        | sequential comparison | crash   |    1 |
        | hirace (CPU)          | race    |    3 |
        | hirace (CPU)          | clean   |    3 |
        | hirace (CPU)          | timeout |    1 |
        | hirace (CPU)          | crash   |    1 |

        ## By pattern, bug and option

        A program with several bugs or options counts for each of them.

        Programs × graphs by pattern; a race in any shape is a race.

        | pattern | tool                  | races found | missed | recall | false alarms | rightly clean | unlabelled: race | unlabelled: clean | no verdict         |
        | ------- | --------------------- | ----------: | -----: | -----: | -----------: | ------------: | ---------------: | ----------------: | ------------------ |
        | pull    | sequential comparison |           1 |      1 | 50.0 % |            0 |             2 |                0 |                 0 |                    |
        | pull    | hirace (CPU)          |           1 |      1 | 50.0 % |            1 |             1 |                0 |                 0 |                    |
        | push    | sequential comparison |           0 |      2 |  0.0 % |            0 |             0 |                0 |                 1 | 1 crash            |
        | push    | hirace (CPU)          |           0 |      1 |  0.0 % |            0 |             0 |                1 |                 0 | 1 timeout, 1 crash |

        Programs × graphs by bug; a race in any shape is a race.

        | bug       | tool                  | races found | missed | recall | false alarms | rightly clean | unlabelled: race | unlabelled: clean | no verdict |
        | --------- | --------------------- | ----------: | -----: | -----: | -----------: | ------------: | ---------------: | ----------------: | ---------- |
        | atomicBug | sequential comparison |           0 |      2 |  0.0 % |            0 |             0 |                0 |                 0 |            |
        | atomicBug | hirace (CPU)          |           0 |      1 |  0.0 % |            0 |             0 |                0 |                 0 | 1 timeout  |
        | none      | sequential comparison |           0 |      0 |      – |            0 |             2 |                0 |                 1 | 1 crash    |
        | none      | hirace (CPU)          |           0 |      0 |      – |            1 |             1 |                1 |                 0 | 1 crash    |
        | raceBug   | sequential comparison |           1 |      1 | 50.0 % |            0 |             0 |                0 |                 0 |            |
        | raceBug   | hirace (CPU)          |           1 |      1 | 50.0 % |            0 |             0 |                0 |                 0 |            |

        Programs × graphs by option; a race in any shape is a race.

        | option  | tool                  | races found | missed | recall | false alarms | rightly clean | unlabelled: race | unlabelled: clean | no verdict |
        | ------- | --------------------- | ----------: | -----: | -----: | -----------: | ------------: | ---------------: | ----------------: | ---------- |
        | none    | sequential comparison |           1 |      3 | 25.0 % |            0 |             2 |                0 |                 0 |            |
        | none    | hirace (CPU)          |           1 |      2 | 33.3 % |            1 |             1 |                0 |                 0 | 1 timeout  |
        | unknown | sequential comparison |           0 |      0 |      – |            0 |             0 |                0 |                 1 | 1 crash    |
        | unknown | hirace (CPU)          |           0 |      0 |      – |            0 |             0 |                1 |                 0 | 1 crash    |

        ## Slowdown and memory

        Each run against that of the same program, graph and shape without a checker on the same processor. Quartiles lie on the line between neighbouring values. Of runs that take less than a millisecond without a checker, the ratio says little: most of it is noise.

        Wall time of the process, as a multiple of that without a checker. Runs left out: 2 without an end (hirace (CPU)).

        | tool         | pattern      | runs | under 1 ms | geometric mean | median | lower quartile | upper quartile | least |  most |
        | ------------ | ------------ | ---: | ---------: | -------------: | -----: | -------------: | -------------: | ----: | ----: |
        | hirace (CPU) | pull         |    4 |          0 |          1.00× |  1.00× |          1.00× |          1.00× | 1.00× | 1.00× |
        | hirace (CPU) | push         |    2 |          0 |          1.00× |  1.00× |          1.00× |          1.00× | 1.00× | 1.00× |
        | hirace (CPU) | all patterns |    6 |          0 |          1.00× |  1.00× |          1.00× |          1.00× | 1.00× | 1.00× |

        ## Wrong verdicts

        The label says that a program can race, not that every input makes it. Graphs are joined where one command repeats them all.

        Verdicts of checkers that the label contradicts; the command runs them once more.

        | tool         | how                          | program        | graphs | shape | repeated by                                                  |
        | ------------ | ---------------------------- | -------------- | ------ | ----- | ------------------------------------------------------------ |
        | hirace (CPU) | false alarm                  | pull           | grid   | 256x8 | `hirace-indigo sweep --exact pull --graph grid --shape 256x8 --tool hirace-cpu --database again.sqlite` |
        | hirace (CPU) | missed                       | push_atomicBug | star   | 256x8 | `hirace-indigo sweep --exact push_atomicBug --graph star --shape 256x8 --tool hirace-cpu --database again.sqlite` |
        | hirace (CPU) | missed here, found elsewhere | pull_raceBug   | grid   | 256x8 | `hirace-indigo sweep --exact pull_raceBug --graph grid --shape 256x8 --tool hirace-cpu --database again.sqlite` |
    "#]].assert_eq(&markdown::render(&document(&lines)));
}

/// A folder with a database of these sweeps: `(command, planned, finished)`.
fn sessions(sessions: &[(&str, Option<u64>, bool)]) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    let store = Store::open(&path).unwrap();
    for (command, planned, finished) in sessions {
        let row = store.begin_session(command, "0.1.0", "a machine").unwrap();
        if let Some(planned) = planned {
            store.plan_session(row, *planned).unwrap();
        }
        crate::sample::add(
            &store,
            &line("pull_raceBug", "star", "hirace-cpu", Verdict::Clean),
        );
        if *finished {
            store.finish_session(row).unwrap();
        }
    }
    (folder, path)
}

fn report(arguments: &[&Path]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"))
        .arg("report")
        .args(arguments)
        .output();
    command.expect("it starts")
}

#[track_caller]
fn warns(list: &[(&str, Option<u64>, bool)], expected: &str) {
    let (_folder, path) = sessions(list);
    let output = report(&[&path]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{stderr}");
    let expected_stderr = match expected {
        "" => String::new(),
        some => format!("hirace-indigo: {some}\n"),
    };
    assert_eq!(stderr, expected_stderr);
    assert!(stdout.contains(expected), "{stdout}");
}

#[test]
fn a_stopped_sweep_is_reported() {
    warns(&[("sweep", Some(1), true)], "");
    // It was resumed.
    warns(&[("sweep", Some(1), false), ("sweep", Some(1), true)], "");
    warns(
        &[("sweep", Some(12), false)],
        "The sweep has not finished: 1 of 12 runs are there, 11 are missing.",
    );
    warns(
        &[
            ("--shard 1/2", Some(1), true),
            ("--shard 2/2", Some(4), false),
        ],
        "1 of 2 sweeps has not finished: 1 of 5 runs are there, 4 are missing.",
    );
    warns(
        &[("sweep", None, false)],
        "The sweep has not finished: 1 runs are there, and the number of planned runs is not \
         known.",
    );
}

#[test]
fn an_empty_database_has_nothing_to_show() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    drop(database(&path, &[]));
    let output = report(&[&path]);
    assert!(output.status.success());
    let stdout = String::from_utf8(output.stdout).unwrap();
    expect![[r#"
        # Results of a sweep

        > **There are no runs.**

        - 0 programs: 0 racy, 0 clean
        - Machine: a machine
        - hirace: 0.1.0
    "#]]
    .assert_eq(&stdout);
}

/// The command has the options of the sweep that affect a run; names are quoted for the shell.
#[test]
fn a_wrong_verdict_is_repeated_with_its_options() {
    let command = "hirace-indigo sweep --suite '/data/my sample' --graph=/graphs/star.egr --graph grid:4x3 \
                   --timeout 9 --database a.sqlite";
    let (_folder, path) = sessions(&[(command, Some(1), true)]);
    let results = Store::open_to_read(&path).unwrap().results().unwrap();
    let document = Document::of(&results);
    let wrong = document.tables().find(|it| it.name == "wrong").unwrap();
    expect![[r#"
        tool,kind,program,graphs,shape,command
        hirace-cpu,missed,pull_raceBug,star,256x8,hirace-indigo sweep --suite '/data/my sample' --exact pull_raceBug --graph /graphs/star.egr --shape 256x8 --tool hirace-cpu --timeout 9 --database again.sqlite
    "#]].assert_eq(&csv::render(wrong));
}

#[test]
fn files_in_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    drop(database(&path, &found_and_missed()));
    let out = folder.path().join("out");
    let output = report(&[&path, Path::new("--output"), &out]);
    assert!(output.status.success(), "{output:?}");
    let mut names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    expect![[r#"
        [
            "by-bug.csv",
            "by-option.csv",
            "by-pattern.csv",
            "found-bug.svg",
            "found-pattern.svg",
            "report.html",
            "report.md",
            "runs.csv",
            "slowdown.csv",
            "slowdown.svg",
            "verdicts.csv",
            "wrong.csv",
        ]
    "#]]
    .assert_debug_eq(&names);
    // Two databases are merged.
    let again = report(&[&path, &path]);
    let text = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
}

/// All texts of an XML document, whose tags must be balanced.
#[track_caller]
fn texts(xml: &str) -> Vec<String> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut texts = Vec::new();
    let mut open = 0;
    loop {
        match reader
            .read_event()
            .unwrap_or_else(|error| panic!("{error}"))
        {
            Event::Start(_) => open += 1,
            Event::End(_) => open -= 1,
            Event::Text(text) => texts.push(text.decode().unwrap().trim().to_owned()),
            Event::GeneralRef(name) => texts.push(format!("&{};", name.decode().unwrap())),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open, 0);
    texts
}

/// Ratios of times that no clock measures well.
#[test]
fn runs_below_a_millisecond_are_marked() {
    let run = |graph, tool, seconds| Line {
        kernel_seconds: Some(seconds),
        ..line("pull", graph, tool, Verdict::Clean)
    };
    let lines = [
        run("star", "baseline", 0.0005),
        run("star", "hirace-cpu", 0.01),
        run("grid", "baseline", 0.002),
        run("grid", "hirace-cpu", 0.002),
    ];
    let document = document(&lines);
    let table = document.tables().find(|it| it.name == "slowdown-kernels");
    let table = csv::render(table.unwrap());
    assert!(table.contains("hirace-cpu,pull,2,1,"), "{table}");
    let plot = document.plots().find(|it| it.name == "slowdown-kernels");
    for width in [Width::Wide, Width::Narrow] {
        let plot = plot.unwrap().element(width);
        assert!(
            texts(&plot).contains(&"1 of 2 under 1 ms".to_owned()),
            "{plot}"
        );
    }
    let process = document.plots().find(|it| it.name == "slowdown");
    assert!(!process.unwrap().svg().contains("1 ms"));
}

/// A page as XML: HTML leaves `meta` open.
fn as_xml(page: &str) -> String {
    let parts = page.split("<meta ").enumerate();
    parts
        .map(|(number, part)| match number {
            0 => part.to_owned(),
            _ => part.split_once('>').unwrap().1.to_owned(),
        })
        .collect()
}

#[test]
fn names_are_never_markup() {
    let hostile = "<script>alert(1)</script>&\"'_raceBug";
    let lines = [
        line(hostile, "<i>star</i>", "baseline", Verdict::Match),
        line(hostile, "<i>star</i>", "<b>tool</b>", Verdict::Clean),
    ];
    let document = document(&lines);
    let page = html::render(&document);
    let plots: Vec<String> = document.plots().map(Plot::svg).collect();
    assert_eq!(plots.len(), 3, "found by pattern and bug, and the slowdown");
    for xml in plots.iter().chain([&as_xml(&page)]) {
        texts(xml);
        for tag in ["<script", "<i>", "<b>"] {
            assert!(!xml.contains(tag), "{xml}");
        }
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"));
}

/// The page has everything that the text has, and needs no other files.
#[test]
fn the_page_has_every_table_and_plot() {
    let document = document(&found_and_missed());
    let page = html::render(&document);
    let shown = texts(&as_xml(&page));
    for table in document.tables() {
        assert!(shown.contains(&table.caption), "{}", table.caption);
        for cell in table.rows.iter().flatten() {
            let cell = cell.for_people();
            assert!(cell.is_empty() || shown.contains(&cell), "{cell}");
        }
    }
    // For wide and for narrow screens.
    assert_eq!(page.matches("<svg ").count(), 2 * document.plots().count());
    for outside in ["src=", "url(", "@import", "<link", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// A colour that the page does not know would not change in dark mode.
#[test]
fn the_page_knows_every_colour_of_its_plots() {
    let page = html::render(&document(&found_and_missed()));
    let body = page.split("<body>").nth(1).unwrap();
    let mut colours = 0;
    for attribute in ["fill", "stroke"] {
        for piece in body.split(&format!(" {attribute}=\"#")).skip(1) {
            let rule = format!("[{attribute}=\"#{}\"]", &piece[..6]);
            assert!(page.contains(&rule), "{rule}");
            colours += 1;
        }
    }
    assert!(colours > 50, "{colours}");
}

/// The numbers of a plot are those of its table: two of four parts blue, one orange, one grey.
#[test]
fn bars_are_as_long_as_the_counts() {
    let verdicts = [Verdict::Race, Verdict::Race, Verdict::Clean, Verdict::Crash];
    let graphs = ["a", "b", "c", "d"];
    let lines: Vec<Line> = (0..4)
        .map(|at| line("pull_raceBug", graphs[at], "hirace-cpu", verdicts[at]))
        .collect();
    let plot = document(&lines).plots().next().unwrap().svg();
    let width = |colour: &str| -> f64 {
        let bar = plot
            .lines()
            .find(|line| line.starts_with("<rect") && line.contains(colour));
        let (_, rest) = bar.unwrap().split_once("width=\"").unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let (found, missed, unknown) = (width("#1257B5"), width("#E8853F"), width("#C9CED6"));
    assert!((found / missed - 2.0).abs() < 0.05, "{plot}");
    assert!((unknown / missed - 1.0).abs() < 0.05, "{plot}");
    assert!(texts(&plot).contains(&"2 of 4".to_owned()));
}

#[test]
fn csv_needs_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    drop(database(&path, &[]));
    let output = report(&[&path, Path::new("--format=csv")]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("name a directory with --output"),
        "{stderr}"
    );
}

/// `hirace-indigo report … | head`.
#[test]
fn a_reader_that_stops_early_is_no_error() {
    use std::process::{Command, Stdio};
    let program = env!("CARGO_BIN_EXE_hirace-indigo");
    let mut child = Command::new(program)
        .args(["suite", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}
