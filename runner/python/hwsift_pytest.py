"""The pytest plugin of `hwsift run`: loaded with -p, it tells hwsift what pytest collected, runs what hwsift
answers, and tells of each test as it starts and ends. It decides nothing itself.

The channel is an inherited socket whose number stands in HWSIFT_CHANNEL; one JSON object a line:
  to hwsift    hello, collected (answered), start, end, finish
  from hwsift  {"run": [indices into the items of `collected`]}
Works with pytest 7 to 9.
"""
import fcntl
import importlib.util
import json
import os
import sys
import time

import pytest

_MESSAGE_LIMIT = 4000  # characters
_DETAILS_LIMIT = 16000
_OUTPUT_LIMIT = 4000
_CHANNEL_FROM = 900  # below the 1024 descriptors that most systems allow


def _head(text, limit):
    return text if len(text) <= limit else text[:limit] + f"\n[{len(text) - limit} more characters]"


def _tail(text, limit):
    return text if len(text) <= limit else f"[{len(text) - limit} characters before]\n" + text[-limit:]


def _out_of_the_way(descriptor):
    """The same channel above those that a test opens, or closes without looking."""
    try:
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _CHANNEL_FROM)
    except (OSError, ValueError):  # so many are not allowed
        os.set_inheritable(descriptor, False)
        return descriptor
    os.close(descriptor)
    return moved


class _Channel:
    """Lines to and from hwsift. Children of the process get neither the descriptor nor the right to speak."""

    def __init__(self, descriptor):
        self.descriptor = _out_of_the_way(descriptor)
        self.owner = os.getpid()
        os.register_at_fork(after_in_child=self._close_in_child)

    def _close_in_child(self):
        try:
            os.close(self.descriptor)
        except OSError:
            pass

    def send(self, event, **fields):
        if os.getpid() != self.owner:
            return
        # Lone surrogates, which no JSON reader takes, become question marks.
        text = json.dumps({"event": event, **fields}, ensure_ascii=False).encode("utf-8", "replace")
        rest = b"\n" + text + b"\n"  # what a test left there without an end is a line of its own
        try:
            while rest:
                rest = rest[os.write(self.descriptor, rest):]
        except OSError as problem:  # hwsift is gone: nobody waits for the other tests
            self._leave(problem)

    def receive(self):
        answer = b""
        while not answer.endswith(b"\n"):
            part = os.read(self.descriptor, 1 << 16)
            if not part:
                self._leave("end of file")
            answer += part
        return json.loads(answer)

    @staticmethod
    def _leave(problem):
        os.write(2, f"hwsift: the channel of this process is gone: {problem}\n".encode())
        os._exit(70)


def _torch_version():
    """The version of torch without importing it; None where there is no torch."""
    spec = importlib.util.find_spec("torch")
    if spec is None or not spec.submodule_search_locations:
        return None
    for folder in spec.submodule_search_locations:
        try:
            with open(os.path.join(folder, "version.py"), encoding="utf-8") as file:
                names = {}
                exec(file.read(), names)
                return str(names.get("__version__", "unknown"))
        except Exception:
            continue
    return "unknown"


class _ClassNames:
    """How hwsift names the classes of an item, derived first: "file::Class", and "::Class" for its own module's."""

    def __init__(self):
        self.known = {}

    def of(self, cls, module):
        if cls is None:
            return []
        key = (cls, module)
        if key not in self.known:
            self.known[key] = [name for base in cls.__mro__ if (name := self._name(base, module))]
        return self.known[key]

    @staticmethod
    def _name(cls, module):
        name = cls.__qualname__
        if "<" not in name:  # a class in a class, as pytest's ids have it
            name = name.replace(".", "::")
        if cls.__module__ == module:
            return f"::{name}"
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        return f"{file}::{name}" if file else ""


def _message_of(report):
    """The reason in a line or a few, and the whole story."""
    longrepr = report.longrepr
    if longrepr is None:
        return "", ""
    if isinstance(longrepr, tuple) and len(longrepr) == 3:  # a skip: file, line, reason
        reason = str(longrepr[2])
        return reason[len("Skipped: "):] if reason.startswith("Skipped: ") else reason, ""
    crash = getattr(longrepr, "reprcrash", None)
    story = str(report.longreprtext)
    return (str(crash.message) if crash is not None else story.strip().rsplit("\n", 1)[-1]), story


class _Account:
    """What is known of the test that runs: the worst of its phases and subtests."""

    _RANK = {"passed": 0, "xpassed": 1, "xfailed": 2, "skipped": 3, "error": 4, "failed": 5}

    def __init__(self, identity):
        self.identity = identity
        self.outcome = "passed"
        self.message = self.details = self.output = ""
        self.start = time.monotonic()

    def add(self, report):
        outcome = self._outcome(report)
        if self._RANK[outcome] <= self._RANK[self.outcome]:
            return
        self.outcome = outcome
        message, details = _message_of(report)
        self.message = str(getattr(report, "wasxfail", "")).removeprefix("reason: ") or message
        if outcome in ("failed", "error"):
            self.details = details
            self.output = "".join(_tail(text, _OUTPUT_LIMIT) for _, text in report.sections)

    @staticmethod
    def _outcome(report):
        subtest = type(report).__name__.lower() == "subtestreport"
        if report.failed:
            return "failed" if report.when == "call" else "error"
        if subtest:  # the test itself has a report too
            return "passed"
        if report.skipped:
            return "xfailed" if hasattr(report, "wasxfail") else "skipped"
        return "xpassed" if hasattr(report, "wasxfail") else "passed"

    def end(self, channel):
        channel.send("end", id=self.identity, outcome=self.outcome, seconds=time.monotonic() - self.start,
                     message=_head(self.message, _MESSAGE_LIMIT), details=_tail(self.details, _DETAILS_LIMIT),
                     output=_tail(self.output, _OUTPUT_LIMIT))


class _Plugin:
    def __init__(self, channel):
        self.channel = channel
        self.problems = []
        self.deselected = []
        self.running = None

    def pytest_collectreport(self, report):
        if report.passed:
            return
        message, details = _message_of(report)
        self.problems.append({"id": _within_file(report.nodeid), "outcome": "error" if report.failed else "skipped",
                              "message": _head(message, _MESSAGE_LIMIT), "details": _tail(details, _DETAILS_LIMIT)})

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        yield  # other plugins first: what they leave is what exists
        names = _ClassNames()
        self.channel.send("collected", items=[self._told(item, names) for item in items], problems=self.problems,
                          deselected=[self._told(item, names) for item in self.deselected])
        wanted = set(self.channel.receive()["run"])
        dropped = [item for index, item in enumerate(items) if index not in wanted]
        if dropped:
            config.hook.pytest_deselected(items=dropped)
            items[:] = [item for index, item in enumerate(items) if index in wanted]

    @staticmethod
    def _told(item, names):
        cls = getattr(item, "cls", None)
        device = getattr(cls, "device_type", "")
        module = getattr(getattr(item, "module", None), "__name__", "")
        return {"id": _within_file(item.nodeid), "name": item.name, "classes": names.of(cls, module),
                "device": device if isinstance(device, str) else ""}

    def pytest_deselected(self, items):
        """By other plugins and settings, such as -k in addopts; ours come after these have been told."""
        self.deselected.extend(items)

    def pytest_runtest_logstart(self, nodeid):
        self.running = _Account(_within_file(nodeid))
        self.channel.send("start", id=self.running.identity)

    def pytest_runtest_logreport(self, report):
        if self.running is not None:
            self.running.add(report)

    def pytest_runtest_logfinish(self, nodeid):
        if self.running is not None:
            self.running.end(self.channel)
        self.running = None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus):
        self.channel.send("finish", exit=int(exitstatus))


def _within_file(nodeid):
    return nodeid.partition("::")[2]


def _restore_environment():
    """What tests start sees the environment that hwsift was started with."""
    original = os.environ.pop("HWSIFT_PYTHONPATH", None)
    if original is None:
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = original


_channel = None


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests():
    """Before any conftest: one that fails must not keep hwsift from knowing where it is."""
    global _channel
    descriptor = os.environ.pop("HWSIFT_CHANNEL", "")
    if not descriptor:
        return
    _restore_environment()
    _channel = _Channel(int(descriptor))
    _channel.send("hello", executable=sys.executable, python=sys.version.split()[0], pytest=pytest.__version__,
                  torch=_torch_version())


# Settings under which pytest runs no test and reports each as passed, ends before it has collected, or waits for a person.
_IDLE = ("setupplan", "setuponly", "showfixtures", "show_fixtures_per_test", "markers", "trace", "usepdb")


def pytest_configure(config):
    if _channel is not None:
        idle = [name for name in _IDLE if config.getoption(name, None)]
        if idle:
            raise pytest.UsageError(f"the setting {idle[0]} runs no test by itself: take it out of addopts and PYTEST_ADDOPTS")
        config.pluginmanager.register(_Plugin(_channel), "hwsift")
