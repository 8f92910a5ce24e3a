//! The HTML report in a real browser: what it shows, and what its keys and filters do.
//! Screenshots go to `target/browser`.

use std::path::{Path, PathBuf};

use hirace::report::{Report, Source, html, read, sources};
use hirace::table::digest;
use serde_json::{Value, json};
use xtask::browser::{Browser, locate};

/// A report's page in the browser; `None` if there is no browser.
struct Page(Browser);

impl Page {
    fn open(name: &str, report: &mut Report) -> Option<Self> {
        let program = match locate() {
            Ok(program) => program,
            Err(reason) => {
                println!("skipped: {reason}");
                return None;
            }
        };
        let texts = sources::find(report).texts;
        let file = target().join(format!("{name}.html"));
        std::fs::create_dir_all(target()).expect("a folder");
        std::fs::write(&file, html::render(report, &texts)).expect("a file");
        let mut page = Self(Browser::start(&program).expect("it starts"));
        page.0.resize(1280, 860, 1.0).expect("a size");
        page.0.open(&file).expect("it opens");
        Some(page)
    }

    #[track_caller]
    fn value(&mut self, expression: &str) -> Value {
        self.0
            .evaluate(expression)
            .unwrap_or_else(|error| panic!("{error:#}"))
    }

    #[track_caller]
    fn number(&mut self, expression: &str) -> u64 {
        let value = self.value(expression);
        value
            .as_u64()
            .unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    #[track_caller]
    fn text(&mut self, selector: &str) -> String {
        let value = self.value(&format!(
            "document.querySelector({selector:?})?.textContent"
        ));
        value.as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    fn press(&mut self, keys: &[&str]) {
        for key in keys {
            self.0.press(key).expect("a key");
        }
    }

    /// Replaces the text in the search field.
    #[track_caller]
    fn search(&mut self, words: &str) {
        self.value("document.getElementById('reset').click()");
        self.value("new Promise((done) => setTimeout(done))");
        self.value("document.getElementById('search').focus()");
        self.0.type_text(words).expect("typed");
    }

    fn picture(&mut self, name: &str) {
        let file = target().join(format!("{name}.png"));
        self.0.screenshot(&file).expect("a picture");
    }

    #[track_caller]
    fn no_complaints(&mut self) {
        // An answer delivers all earlier messages.
        self.value("0");
        assert!(self.0.errors.is_empty(), "{:#?}", self.0.errors);
    }
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/browser")
}

const ROWS: &str = "document.querySelectorAll('[role=option]').length";
const NODES: &str = "document.querySelectorAll('*').length";
const SHOWN: &str = "Number(document.querySelector('[role=option]')?.ariaSetSize ?? 0)";
const CHOSEN: &str = "Number(document.querySelector('[aria-selected=true]')?.ariaPosInSet ?? 0)";
const FOCUS: &str = "document.activeElement.id";

fn known(name: &str) -> Value {
    let path = format!(
        "{}/tests/formats/expected/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("a report");
    serde_json::from_str(&text).expect("JSON")
}

/// Reports carry the digest of the text that was checked: a racy or repaired variant of the file.
/// The page shows a file only if it is the one that was checked, so the digests become the file's.
fn parsed(value: &Value) -> Report {
    let mut report = read::parse("test", &value.to_string()).expect("a report");
    for source in &mut report.sources {
        if let Ok(text) = std::fs::read_to_string(&source.file) {
            *source = Source::new(&source.file, digest(&text));
        }
    }
    report
}

/// A report with `count` races, by forty kernels in sixty files, of which only one exists.
fn many(count: usize) -> Report {
    let mut value = known("race_shared_struct");
    let races = value["races"].as_array().expect("races").clone();
    let all = (0..count).map(|number| {
        let mut race = races[number % races.len()].clone();
        race["fingerprint"] = format!("{number:016x}:1").into();
        race["kernel"] = format!("kernel_{}", number % 40).into();
        race["variable"] = format!("variable_{number}").into();
        race["occurrences"] = (count - number).into();
        if number % 10 == 3 {
            race["certainty"] = "possible".into();
        }
        if number % 60 > 0 {
            for access in race["accesses"].as_array_mut().expect("two") {
                access["file"] = format!("src/part_{}.cu", number % 60).into();
            }
        }
        race
    });
    value["races"] = all.collect();
    parsed(&value)
}

#[test]
fn both_sites_are_marked_in_the_source() {
    let mut report = parsed(&known("race_warp_reduction_no_syncwarp"));
    let Some(mut page) = Page::open("sites", &mut report) else {
        return;
    };
    let race = &report.races[0];
    let lines = race
        .accesses
        .each_ref()
        .map(|it| it.position.line.expect("known"));
    for (site, line) in [(1, lines[0]), (2, lines[1])] {
        let text = race.accesses[site - 1]
            .position
            .text
            .clone()
            .expect("known");
        assert_eq!(page.text(&format!("mark.site-{site}")), text);
        assert_eq!(
            page.text(&format!(".line:has(mark.site-{site}) .number")),
            line.to_string()
        );
        assert!(
            page.text(&format!(".note.site-{site}"))
                .starts_with(&format!("({site}) "))
        );
    }
    let summary = "1 race (240 occurrences); 1 kernel launch and 1537 accesses checked";
    assert_eq!(page.text("#summary"), summary);
    assert_eq!(
        page.text("h2"),
        "Data race on shared s_sum in kernel warp_sums"
    );
    assert_eq!(page.text(".threads figcaption"), "Grid of 4 blocks");
    assert_eq!(page.text(".machine .race .node"), "RACE");
    page.no_complaints();
}

#[test]
fn ten_thousand_races() {
    let mut report = many(10_000);
    let Some(mut page) = Page::open("many", &mut report) else {
        return;
    };
    assert_eq!(page.number(SHOWN), 10_000);
    let usable =
        page.value("Math.round(performance.getEntriesByType('navigation')[0].domInteractive)");
    println!("10,000 races: usable after {usable} ms");
    let nodes = page.number(NODES);
    assert!(nodes < 1500, "{nodes} elements");
    assert!(page.number(ROWS) < 60);

    let filtered = page.value(
        "(() => { const start = performance.now(); const search = document.getElementById('search'); \
         search.value = 'variable_99'; search.dispatchEvent(new Event('input', { bubbles: true })); \
         return Math.round(performance.now() - start); })()",
    );
    println!("10,000 races: filtered in {filtered} ms");
    // 99, 990 to 999, 9900 to 9999.
    assert_eq!(page.number(SHOWN), 111);

    // To the end and back, one page at a time.
    page.value("document.getElementById('reset').click()");
    page.0.wait_for(&format!("{SHOWN} === 10000")).expect("all");
    page.value("document.getElementById('list').focus()");
    page.press(&["End"]);
    assert_eq!(page.number(CHOSEN), 10_000);
    assert!(page.number(NODES) < 1500);
    page.press(&["PageUp", "Home"]);
    assert_eq!(page.number(CHOSEN), 1);
    page.picture("many");
    page.no_complaints();
}

#[test]
fn filters_filter() {
    let mut report = many(600);
    let Some(mut page) = Page::open("filters", &mut report) else {
        return;
    };
    for (words, count) in [
        ("variable_7", 11),
        ("VARIABLE_599", 1),
        ("kernel_39", 15),
        ("part_7.cu variable_7", 1),
        ("hr006", 600),
        ("no such thing", 0),
    ] {
        page.search(words);
        assert_eq!(page.number(SHOWN), count, "{words}");
    }
    assert_eq!(page.text("#detail"), "No finding matches.");
    page.press(&["Escape"]);
    assert_eq!(page.value(FOCUS), "list");
    page.search("");
    for (menu, choice, count) in [
        ("by-kernel", "kernel_3", 15),
        ("by-file", "src/part_7.cu", 10),
        ("by-certainty", "possible", 60),
    ] {
        page.value(&format!(
            "(() => {{ const menu = document.getElementById('{menu}'); menu.value = '{choice}'; \
             menu.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        ));
        assert_eq!(page.number(SHOWN), count, "{choice}");
        page.search("");
    }
    // A report with a single code offers no choice.
    assert_eq!(
        page.value("document.getElementById('by-code').hidden"),
        true
    );
    assert_eq!(page.text("#count"), "600 findings");
    page.no_complaints();
}

#[test]
fn keys_move() {
    let mut report = many(50);
    let Some(mut page) = Page::open("keys", &mut report) else {
        return;
    };
    assert_eq!(page.number(CHOSEN), 1);
    page.press(&["j", "j", "k"]);
    assert_eq!(page.number(CHOSEN), 2);
    page.value("document.getElementById('list').focus()");
    page.press(&["ArrowDown", "ArrowDown", "ArrowUp"]);
    assert_eq!(page.number(CHOSEN), 3);
    assert!(page.text("h2").contains("variable_2"));
    let active = "document.getElementById(document.getElementById('list')\
                  .getAttribute('aria-activedescendant')).ariaPosInSet";
    assert_eq!(page.value(active), "3");
    page.press(&["Enter"]);
    assert_eq!(page.value(FOCUS), "detail");
    assert_eq!(page.value("location.hash"), "#0000000000000002:1");
    page.press(&["Escape"]);
    // The page shows the list first.
    for _ in 0..50 {
        if page.value(FOCUS) == "list" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(page.value(FOCUS), "list");
    page.press(&["/"]);
    assert_eq!(page.value(FOCUS), "search");
    // Keys typed into the search field are text.
    page.press(&["j"]);
    assert_eq!(page.value("document.getElementById('search').value"), "j");
    page.press(&["Escape"]);
    page.no_complaints();
}

/// At a width of 400 pixels, the page shows either the list or a finding.
#[test]
fn narrow_pages() {
    let mut report = many(50);
    let Some(mut page) = Page::open("narrow", &mut report) else {
        return;
    };
    page.0.resize(400, 800, 1.0).expect("a size");
    let visible = |id: &str| format!("document.getElementById('{id}').offsetParent !== null");
    assert_eq!(page.value(&visible("detail")), false);
    page.value("document.querySelector('[aria-posinset=\"2\"]').click()");
    assert_eq!(page.value(&visible("detail")), true);
    assert_eq!(page.value(&visible("list")), false);
    let wide = "document.documentElement.scrollWidth";
    assert_eq!(page.number(wide), 400);
    page.picture("narrow-light");
    page.0.prefer("dark").expect("a scheme");
    page.picture("narrow-dark");
    page.press(&["Escape"]);
    assert_eq!(page.value(&visible("list")), true);
    assert_eq!(page.number(wide), 400);
    page.picture("narrow-list-dark");
    page.no_complaints();
}

/// The place of an access far to the right is in sight.
#[test]
fn places_at_the_end_of_long_lines() {
    let mut report = parsed(&known("race_shared_struct"));
    let file = report.races[0].accesses[0].position.file.clone();
    let file = file.expect("known");
    let text = std::fs::read_to_string(&file).expect("the source");
    let blanks = " ".repeat(120);
    let moved: Vec<String> = text.lines().map(|it| format!("{blanks}{it}")).collect();
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("long.cu");
    std::fs::write(&path, moved.join("\n")).expect("a file");
    let name = path.display().to_string();
    for source in report.sources.iter_mut().filter(|it| it.file == file) {
        *source = Source::new(&name, digest(&moved.join("\n")));
    }
    for access in report.races.iter_mut().flat_map(|it| &mut it.accesses) {
        let position = &mut access.position;
        position.file = Some(name.clone());
        position.column = position.column.map(|it| it + 120);
        position.end_column = position.end_column.map(|it| it + 120);
    }
    let Some(mut page) = Page::open("long", &mut report) else {
        return;
    };
    page.0.resize(400, 800, 1.0).expect("a size");
    page.value("document.querySelector('[aria-posinset=\"1\"]').click()");
    let left = "document.querySelector('mark').getBoundingClientRect().left";
    assert!((40..400).contains(&page.number(&format!("Math.round({left})"))));
    page.no_complaints();
}

/// The first finding is chosen before the address is read.
#[test]
fn an_address_opens_the_first_finding_of_a_narrow_page() {
    let mut report = many(2);
    let Some(mut page) = Page::open("address", &mut report) else {
        return;
    };
    page.0.resize(400, 800, 1.0).expect("a size");
    page.value("location.hash = document.querySelector('.fingerprint code').textContent");
    page.value("new Promise((done) => setTimeout(done, 50))");
    assert_eq!(
        page.value("document.body.classList.contains('reading')"),
        json!(true)
    );
    page.no_complaints();
}

/// A link leads to a finding of a page that is not open yet.
#[test]
fn a_link_opens_its_finding() {
    let mut report = many(3);
    let Some(mut page) = Page::open("link", &mut report) else {
        return;
    };
    let last = &report.races[2].fingerprint;
    std::fs::copy(target().join("link.html"), target().join("linked.html")).expect("a copy");
    let link = target().join(format!("linked.html#{last}"));
    page.0.open(&link).expect("it opens");
    assert_eq!(&page.text(".fingerprint code"), last);
    page.no_complaints();
}

/// Rows that would be the same have columns, or else numbers.
#[test]
fn rows_differ() {
    let mut value = known("fault_global_past_end");
    let mut other = value["faults"][0].clone();
    other["fingerprint"] = "0000000000000000:1".into();
    let mut same = other.clone();
    same["fingerprint"] = "0000000000000000:2".into();
    other["column"] = 77.into();
    let faults = value["faults"].as_array_mut().expect("faults");
    faults.extend([other, same]);
    let mut report = parsed(&value);
    let Some(mut page) = Page::open("alike", &mut report) else {
        return;
    };
    let places =
        page.value("[...document.querySelectorAll('.row .third')].map((it) => it.textContent)");
    let places = places.as_array().expect("places");
    assert_eq!(places.len(), 3);
    for end in [":77", "(1 of 2)", "(2 of 2)"] {
        let has = |it: &Value| it.as_str().is_some_and(|it| it.ends_with(end));
        assert!(places.iter().any(has), "{end}: {places:?}");
    }
    page.no_complaints();
}

/// A long path is cut at its beginning, so that lines are seen.
#[test]
fn long_paths_in_the_list() {
    let mut value = known("race_bits_and_plain_members");
    for access in value["races"][0]["accesses"]
        .as_array_mut()
        .expect("accesses")
    {
        access["file"] = json!("source/simulation/boundary_conditions/heat_transfer_of_walls.cu");
    }
    let mut report = parsed(&value);
    let Some(mut page) = Page::open("long-paths", &mut report) else {
        return;
    };
    let edge = |selector: &str, side: &str| {
        format!("Math.round(document.querySelector('{selector}').getBoundingClientRect().{side})")
    };
    let beyond = page.value(&format!(
        "{} < {}",
        edge(".third bdi", "left"),
        edge(".third", "left")
    ));
    assert_eq!(beyond, json!(true), "the path fits");
    let ends = [edge(".third bdi", "right"), edge(".third", "right")].map(|it| page.number(&it));
    assert_eq!(ends[0], ends[1]);
    page.picture("long-paths");
    page.no_complaints();
}

/// Light and dark colours, set by the system and by the button.
#[test]
fn themes() {
    let mut report = parsed(&known("race_bits_and_plain_members"));
    let Some(mut page) = Page::open("themes", &mut report) else {
        return;
    };
    let back = "getComputedStyle(document.documentElement).backgroundColor";
    page.0.prefer("light").expect("a scheme");
    let light = page.value(back);
    page.picture("light");
    page.0.prefer("dark").expect("a scheme");
    let dark = page.value(back);
    assert_ne!(light, dark);
    page.picture("dark");
    for expected in [&light, &dark, &dark] {
        page.value("document.getElementById('theme').click()");
        assert_eq!(&page.value(back), expected);
    }
    page.no_complaints();
}

/// Names and texts with characters that are special in HTML, scripts and JSON.
#[test]
fn hostile_names_do_not_run() {
    let attack = "</script><script>window.ran = 1</script><img src=x onerror=\"window.ran = 1\">\u{2028}&lt;`";
    let mut value = known("race_shared_struct");
    let race = &mut value["races"][0];
    for name in ["kernel", "variable", "reason", "help", "title"] {
        race[name] = attack.into();
    }
    race["accesses"][0]["file"] = "javascript:alert(1)//<b>.cu".into();
    race["accesses"][0]["text"] = attack.into();
    value["notes"] = json!([attack]);
    let mut report = parsed(&value);
    let Some(mut page) = Page::open("hostile", &mut report) else {
        return;
    };
    assert_eq!(page.value("window.ran === undefined"), true);
    assert_eq!(
        page.number("document.querySelectorAll('img, #detail script, a[href^=java]').length"),
        0
    );
    assert!(
        page.text(".row .name").contains("<img src=x"),
        "shown as it is"
    );
    page.value("document.getElementById('limits').open = true");
    page.0
        .wait_for("document.querySelector('#limits li') !== null")
        .expect("notes");
    page.picture("limits");
    page.no_complaints();
    // The page's policy would stop any text that became markup.
    for markup in [
        "document.body.innerHTML = '<img src=x>'",
        "document.body.setAttribute('onclick', 'window.ran = 1')",
    ] {
        assert!(page.0.evaluate(markup).is_err(), "{markup}");
    }
}
