//! Chromium without a window, driven over its DevTools protocol.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

use crate::files;
use crate::process::is_there;

/// The program's names on different systems.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The time limit for any operation.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The browser of this machine: `HIRACE_CHROMIUM`, or one on `PATH`.
///
/// # Errors
/// No browser is found; the reason is one line.
pub fn locate() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("HIRACE_CHROMIUM").filter(|it| !it.is_empty()) {
        return Ok(named.into());
    }
    let found = NAMES.into_iter().find(|name| is_there(name));
    found
        .map(PathBuf::from)
        .ok_or_else(|| "no Chromium; set HIRACE_CHROMIUM to its path".to_owned())
}

/// A browser with one page.
pub struct Browser {
    process: Child,
    profile: PathBuf,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    calls: u64,
    /// Errors that the page reported: exceptions, console errors, blocked content.
    pub errors: Vec<String>,
}

impl Browser {
    /// Starts the program with an empty page.
    ///
    /// # Errors
    /// It does not start, or does not answer.
    pub fn start(program: &Path) -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let profile = format!("target/browser/profile-{}-{number}", std::process::id());
        let profile = crate::root().join(profile);
        fs::create_dir_all(&profile)?;
        let mut command = Command::new(program);
        command
            .args(["--headless", "--remote-debugging-port=0", "--disable-gpu"])
            .args([
                "--no-first-run",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
            ])
            // Containers have little shared memory.
            .arg("--disable-dev-shm-usage")
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // Its sandbox does not work for root, which containers use.
        if fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0) {
            command.arg("--no-sandbox");
        }
        let mut process = command
            .spawn()
            .with_context(|| format!("failed to start {}", program.display()))?;
        let socket = address(&profile).and_then(|address| {
            let (socket, _) = connect(address)?;
            if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
                stream.set_read_timeout(Some(TIMEOUT))?;
            }
            Ok(socket)
        });
        let socket = socket.inspect_err(|_| end(&mut process, &profile))?;
        let mut browser = Self {
            process,
            profile,
            socket,
            session: None,
            calls: 0,
            errors: Vec::new(),
        };
        browser.attach()?;
        Ok(browser)
    }

    /// Creates the page that all further calls use.
    fn attach(&mut self) -> Result<()> {
        let page = self.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attached = self.call(
            "Target.attachToTarget",
            json!({ "targetId": page["targetId"], "flatten": true }),
        )?;
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(())
    }

    /// Calls a method of the protocol.
    ///
    /// # Errors
    /// The browser refuses, or has ended.
    pub fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        self.calls += 1;
        let number = self.calls;
        let mut call = json!({ "id": number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            call["sessionId"] = session.as_str().into();
        }
        self.socket.send(Message::text(call.to_string()))?;
        loop {
            let mut answer = self.next()?;
            if answer["id"] == number {
                if let Some(error) = answer.get("error") {
                    bail!("{method}: {error}");
                }
                return Ok(answer["result"].take());
            }
        }
    }

    /// The next message; errors in it are recorded.
    fn next(&mut self) -> Result<Value> {
        loop {
            let Message::Text(text) = self.socket.read()? else {
                continue;
            };
            let message: Value = serde_json::from_str(&text)?;
            let parameters = &message["params"];
            match message["method"].as_str() {
                Some("Runtime.exceptionThrown") => {
                    self.errors.push(parameters["exceptionDetails"].to_string());
                }
                Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => {
                    self.errors.push(parameters["args"].to_string());
                }
                Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                    self.errors.push(parameters["entry"]["text"].to_string());
                }
                _ => {}
            }
            return Ok(message);
        }
    }

    /// Opens a file, and waits until it has loaded.
    ///
    /// # Errors
    /// The browser refuses, or takes too long.
    pub fn open(&mut self, file: &Path) -> Result<()> {
        let url = format!("file://{}", file.display());
        let answer = self.call("Page.navigate", json!({ "url": url }))?;
        if let Some(error) = answer.get("errorText") {
            bail!("{url}: {error}");
        }
        self.wait_for("document.readyState === 'complete'")
    }

    /// Waits until an expression is true.
    ///
    /// # Errors
    /// It does not become true in time.
    pub fn wait_for(&mut self, expression: &str) -> Result<()> {
        let start = Instant::now();
        while self.evaluate(expression)? != true {
            if start.elapsed() > TIMEOUT {
                bail!("{expression} is not true after {TIMEOUT:?}");
            }
            sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// The value of an expression in the page; promises are awaited.
    ///
    /// # Errors
    /// It throws.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let mut answer = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        )?;
        if let Some(exception) = answer.get("exceptionDetails") {
            bail!("{expression}: {exception}");
        }
        Ok(answer["result"]["value"].take())
    }

    /// Presses a key, by its name in `KeyboardEvent.key`.
    ///
    /// # Errors
    /// The browser refuses.
    pub fn press(&mut self, key: &str) -> Result<()> {
        let mut down = json!({ "type": "keyDown", "key": key });
        match key {
            "Tab" => down["windowsVirtualKeyCode"] = 9.into(),
            "Enter" => down["text"] = "\r".into(),
            _ if key.chars().count() == 1 => down["text"] = key.into(),
            _ => {}
        }
        self.call("Input.dispatchKeyEvent", down)?;
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key }),
        )?;
        Ok(())
    }

    /// Types a text into the focused element.
    ///
    /// # Errors
    /// The browser refuses.
    pub fn type_text(&mut self, text: &str) -> Result<()> {
        self.call("Input.insertText", json!({ "text": text }))?;
        Ok(())
    }

    /// Sets the size of the page, and the number of picture pixels per page pixel.
    ///
    /// # Errors
    /// The browser refuses.
    pub fn resize(&mut self, width: u32, height: u32, scale: f64) -> Result<()> {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics)?;
        Ok(())
    }

    /// Sets the preferred colour scheme, `light` or `dark`.
    ///
    /// # Errors
    /// The browser refuses.
    pub fn prefer(&mut self, scheme: &str) -> Result<()> {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )?;
        Ok(())
    }

    /// Writes a screenshot of the page as a PNG.
    ///
    /// # Errors
    /// The browser refuses, or the file cannot be written.
    pub fn screenshot(&mut self, file: &Path) -> Result<()> {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        let data = picture["data"].as_str().context("a picture")?;
        let parent = file.parent().context("a file has a folder")?;
        fs::create_dir_all(parent)?;
        files::write(file, STANDARD.decode(data)?)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        // If the browser closes itself, its other processes end, too.
        let _ = self.call("Browser.close", json!({}));
        end(&mut self.process, &self.profile);
    }
}

/// Waits until the process has ended, and removes its files.
fn end(process: &mut Child, profile: &Path) {
    for _ in 0..100 {
        if process.try_wait().is_ok_and(|status| status.is_some()) {
            break;
        }
        sleep(Duration::from_millis(20));
    }
    let _ = process.kill();
    let _ = process.wait();
    let _ = fs::remove_dir_all(profile);
}

/// The address of the browser, which it writes into its profile.
fn address(profile: &Path) -> Result<String> {
    let file = profile.join("DevToolsActivePort");
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if let Some((port, path)) = text.split_once('\n').filter(|(_, path)| !path.is_empty()) {
            return Ok(format!("ws://127.0.0.1:{port}{}", path.trim_end()));
        }
        sleep(Duration::from_millis(20));
    }
    Err(anyhow!("the browser does not report its address"))
}
