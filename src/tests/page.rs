//! The page of `diff --format html` in a real browser: at two widths, light and dark, with keys and
//! without its script. Needs Chromium (`FOREBAY_CHROMIUM`, which scripts/test sets); passes, saying
//! so, without it. The pictures go to `target/page/`, for people.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use base64::Engine;
use serde_json::{Value, json};

/// A Chromium that is spoken to over two pipes.
struct Browser {
    child: Child,
    asks: File,
    answers: BufReader<File>,
    session: Value,
    count: u64,
}

impl Browser {
    /// Starts it with a profile of its own; `None` where there is none.
    fn start(folder: &Path) -> Option<Browser> {
        let program = std::env::var_os("FOREBAY_CHROMIUM")?;
        let (asks, answers) = (folder.join("asks"), folder.join("answers"));
        for pipe in [&asks, &answers] {
            let made = Command::new("mkfifo")
                .arg(pipe)
                .status()
                .expect("mkfifo runs");
            assert!(made.success());
        }
        let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --hide-scrollbars \
                      --user-data-dir=\"$1\" --remote-debugging-pipe 3<\"$2\" 4>\"$3\"";
        let child = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .arg(folder.join("profile"))
            .args([&asks, &answers])
            .env("HOME", folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell runs");
        let asks = File::options()
            .write(true)
            .open(asks)
            .expect("the pipe opens");
        let answers = BufReader::new(File::open(answers).expect("the pipe opens"));
        let mut browser = Browser {
            child,
            asks,
            answers,
            session: Value::Null,
            count: 0,
        };
        let target = browser.ask("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        browser.session = browser.ask("Target.attachToTarget", &attach)["sessionId"].clone();
        browser.ask("Page.enable", &json!({}));
        Some(browser)
    }

    fn message(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.answers
            .read_until(0, &mut bytes)
            .expect("Chromium answers");
        assert_eq!(bytes.pop(), Some(0), "Chromium ended");
        serde_json::from_slice(&bytes).expect("an answer is JSON")
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.count += 1;
        let mut message = json!({"id": self.count, "method": method, "params": parameters});
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        write!(self.asks, "{message}\0").expect("Chromium listens");
        loop {
            let answer = self.message();
            if answer["id"] == self.count {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn open(&mut self, page: &Path) {
        let url = format!("file://{}", page.display());
        self.ask("Page.navigate", &json!({"url": url}));
        while self.message()["method"] != "Page.loadEventFired" {}
    }

    fn value(&mut self, expression: &str) -> Value {
        let ask = json!({"expression": expression, "returnByValue": true});
        let answer = self.ask("Runtime.evaluate", &ask);
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Presses a key as a keyboard does.
    fn press(&mut self, key: &str) {
        let text = if key.len() == 1 { key } else { "" };
        let code = match key {
            "Tab" => 9,
            "Escape" => 27,
            "Enter" => 13,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut ask = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" {
                ask["text"] = json!(if key == "Enter" { "\r" } else { text });
            }
            self.ask("Input.dispatchKeyEvent", &ask);
        }
    }

    fn look(&mut self, width: u32, scheme: &str) -> Vec<u8> {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", &size);
        let scheme = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.ask("Emulation.setEmulatedMedia", &scheme);
        let shot = self.ask("Page.captureScreenshot", &json!({"format": "png"}));
        let picture = shot["data"].as_str().expect("a picture");
        base64::prelude::BASE64_STANDARD
            .decode(picture)
            .expect("base64")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _waited_for = self.child.wait();
    }
}

/// The page of two sides with everything in it, and markup where markup could break out.
fn page(folder: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let hostile = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: hostile}\ndata:\n  a: \
                   \"</pre><script>document.title='broken out'</script><img src=x onerror=alert(1)>\"\n";
    let (old, new) = (folder.join("old"), folder.join("new"));
    for (from, to, more) in [("old", &old, ""), ("new", &new, hostile)] {
        fs::create_dir(to).expect("a folder");
        for entry in fs::read_dir(root.join("testdata/diff").join(from))
            .expect("it is there")
            .flatten()
        {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
        fs::write(to.join("z.yaml"), more).expect("a file");
    }
    let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(["diff", "old", "new", "--format", "html"])
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    assert!(done.status.success(), "{done:?}");
    let page = folder.join("page.html");
    fs::write(&page, done.stdout).expect("a file");
    page
}

#[test]
fn the_page_is_read_searched_and_steered_by_keys_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let Some(mut browser) = Browser::start(folder.path()) else {
        println!("skipped: no Chromium, the page was not looked at");
        return;
    };
    browser.open(&page);
    assert_ne!(browser.value("document.title"), "broken out");
    assert_eq!(browser.value("document.images.length"), 0);

    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/page");
    fs::create_dir_all(&pictures).expect("a folder");
    let mut seen = Vec::new();
    for width in [1280, 420] {
        for scheme in ["light", "dark"] {
            let picture = browser.look(width, scheme);
            fs::write(pictures.join(format!("{width}-{scheme}.png")), &picture).expect("a file");
            assert!(
                picture.len() > 10_000 && !seen.contains(&picture),
                "{width} {scheme}"
            );
            seen.push(picture);
            let fits = "document.documentElement.scrollWidth <= window.innerWidth";
            assert_eq!(browser.value(fits), true, "{width} {scheme}");
            let back = browser.value("getComputedStyle(document.body).backgroundColor");
            let dark = back == "rgb(13, 17, 23)";
            assert_eq!(dark, scheme == "dark", "{back}");
        }
    }

    let shown =
        "[...document.querySelectorAll('#objects > details')].filter(it => !it.hidden).length";
    let all = browser.value(shown).as_u64().expect("a number");
    assert!(all > 6, "{all}");
    // `/` goes to the search, which takes what is typed; Escape empties it.
    browser.press("/");
    assert_eq!(browser.value("document.activeElement.id"), "search");
    for key in ["k", "e", "y", "s"] {
        browser.press(key);
    }
    assert_eq!(
        browser.value("document.getElementById('search').value"),
        "keys"
    );
    assert_eq!(browser.value(shown), 1);
    browser.press("Escape");
    assert_eq!(browser.value(shown), all);
    // `j` goes from object to object, `o` closes one and opens it.
    let at = "document.activeElement.closest('details')?.querySelector('b').textContent";
    browser.press("j");
    let first = browser.value(at);
    browser.press("j");
    assert_ne!(browser.value(at), first);
    browser.press("k");
    assert_eq!(browser.value(at), first);
    let open = "document.activeElement.closest('details').open";
    assert_eq!(browser.value(open), true);
    browser.press("o");
    assert_eq!(browser.value(open), false);
    browser.press("Enter");
    assert_eq!(browser.value(open), true);
    browser.value("document.querySelector('[value=removed]').click()");
    assert_eq!(browser.value(shown), all - 1);

    // Without its script everything is open, and what needs the script is not shown.
    browser.ask(
        "Emulation.setScriptExecutionDisabled",
        &json!({"value": true}),
    );
    browser.open(&page);
    let text = browser.ask("DOM.getDocument", &json!({"depth": -1}));
    let text = text.to_string();
    assert!(text.contains("ConfigMap shop/gone"));
    browser.ask(
        "Emulation.setScriptExecutionDisabled",
        &json!({"value": false}),
    );
    assert_eq!(
        browser.value("document.getElementById('controls').hidden"),
        true
    );
    assert_eq!(
        browser.value("document.querySelectorAll('details:not([open])').length"),
        0
    );
}
