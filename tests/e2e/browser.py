"""Drives a Chromium that is installed, over its DevTools protocol: with the standard library alone, no network.

    with browser.open_page(file, width=400, dark=True) as page:
        page.evaluate("document.title")

HWSIFT_CHROMIUM names the program, else it is looked for. HWSIFT_SCREENSHOTS names a folder that keeps screenshots.
"""
import base64
import contextlib
import fcntl
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77  # what ctest shows as skipped
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--disable-extensions",
         "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe")
# The browser reads commands from descriptor 3 and answers on 4.
START = "import os, sys; os.dup2({0}, 3); os.dup2({1}, 4); os.execv(sys.argv[1], sys.argv[1:])"


class Failed(Exception):
    """The browser answered with an error, or not at all."""


def find():
    """The browser's path, or None."""
    named = os.environ.get("HWSIFT_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for path in map(shutil.which, NAMES) if path), None)


def require():
    """The browser's path; a test without one is skipped, and says so."""
    path = find()
    if path is None:
        print("skipped: no Chromium here (install one, or name it in HWSIFT_CHROMIUM)")
        sys.exit(SKIPPED)
    return path


def high(descriptor):
    """The same file under a number that START's two cannot overwrite."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10)
    os.close(descriptor)
    return copy


class Connection:
    """Commands and answers as JSON that ends in a zero byte."""

    def __init__(self, path, profile):
        its_in, self.out = map(high, os.pipe())
        self.into, its_out = map(high, os.pipe())
        command = [sys.executable, "-c", START.format(its_in, its_out), path, *FLAGS, f"--user-data-dir={profile}",
                   "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(its_in, its_out), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_in)
        os.close(its_out)
        self.buffer = b""
        self.number = 0
        self.events = []

    def message(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.into, 1 << 20) if ready else b""
            if not data:
                raise Failed("the browser went away" if ready else "the browser does not answer")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, timeout=60, **parameters):
        """The result of a command; events that come before it are kept."""
        self.number += 1
        number = self.number
        command = {"id": number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        deadline = time.monotonic() + timeout
        while True:
            message = self.message(deadline)
            if message.get("id") == number:
                if "error" in message:
                    raise Failed(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait_for(self, event, timeout=60):
        deadline = time.monotonic() + timeout
        while not any(message.get("method") == event for message in self.events):
            self.events.append(self.message(deadline))

    def close(self):
        with contextlib.suppress(Failed, OSError):
            self.call("Browser.close", timeout=10)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.into)
        os.close(self.out)


class Page:
    """A page that was loaded from a file."""

    def __init__(self, connection, session):
        self.connection = connection
        self.session = session

    def call(self, method, **parameters):
        return self.connection.call(method, self.session, **parameters)

    def load(self, file):
        self.connection.events.clear()
        self.call("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        self.connection.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        """The value of an expression of JavaScript, awaited where it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failed(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def errors(self):
        """What the console would show in red: exceptions, refused content, failed loads."""
        self.evaluate("0")
        found = []
        for event in self.connection.events:
            values = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(values["exceptionDetails"].get("text", "") + json.dumps(values["exceptionDetails"])[:500])
            elif event.get("method") == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
                found.append(json.dumps(values["args"])[:500])
            elif event.get("method") == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
                found.append(values["entry"]["text"])
        return found

    def requests(self):
        """The addresses that were asked for since load()."""
        self.evaluate("0")
        return [event["params"]["request"]["url"] for event in self.connection.events
                if event.get("method") == "Network.requestWillBeSent"]

    def resize(self, width, height=800):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def emulate(self, dark=False, media=""):
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def without_scripts(self, off=True):
        """Counts from the next load() on; evaluate() still works."""
        self.call("Emulation.setScriptExecutionDisabled", value=off)

    def key(self, key, code=None, text=""):
        """Presses and releases a key: key("Tab"), key("Enter", text="\\r")."""
        numbers = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40}
        values = {"key": key, "code": code or key, "windowsVirtualKeyCode": numbers.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **values)
        self.call("Input.dispatchKeyEvent", type="keyUp", **values)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, name, whole=True, highest=12000):
        """A PNG; kept where HWSIFT_SCREENSHOTS says. `whole`: all of the page, not the window alone."""
        options = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options = {"captureBeyondViewport": True,
                       "clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], highest), "scale": 1}}
        image = base64.b64decode(self.call("Page.captureScreenshot", format="png", **options)["data"])
        self.keep(f"{name}.png", image)
        return image

    def pdf(self, name):
        document = base64.b64decode(self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"])
        self.keep(f"{name}.pdf", document)
        return document

    def printed_pages(self, name):
        """How many sheets pdf() needs."""
        return len(re.findall(rb"/Type\s*/Page\b", self.pdf(name)))

    @staticmethod
    def keep(name, data):
        folder = os.environ.get("HWSIFT_SCREENSHOTS")
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(folder) / name).write_bytes(data)


@contextlib.contextmanager
def start():
    """A browser with one empty page, and a profile that is thrown away."""
    path = require()
    with tempfile.TemporaryDirectory(prefix="hwsift-browser-", ignore_cleanup_errors=True) as profile:
        connection = Connection(path, profile)
        try:
            target = connection.call("Target.createTarget", url="about:blank")["targetId"]
            session = connection.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            page = Page(connection, session)
            for domain in ("Page", "Runtime", "Log", "Network"):
                page.call(f"{domain}.enable")
            yield page
        finally:
            connection.close()


@contextlib.contextmanager
def open_page(file, width=1280, height=800, dark=False):
    """A browser that shows the file."""
    with start() as page:
        page.resize(width, height)
        page.emulate(dark=dark)
        page.load(file)
        yield page
