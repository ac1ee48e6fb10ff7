"""What the tests with a real PyTorch share: the roots and sources at hand, and plain pytest to compare with."""
import os
import pathlib
import sys
import xml.etree.ElementTree as xml

import harness

CORPUS = pathlib.Path(os.environ.get("HWSIFT_CORPUS", ""))


def there_or_skip(path):
    """The path, or the end of this test, shown as skipped."""
    if not path.exists():
        print(f"skipped: {path} is not there; ./dev test-torch makes it where a Debian archive can be reached")
        sys.exit(harness.SKIPPED)
    return path


def python_of(suite):
    """The python3 of a Debian suite: trixie has PyTorch 2.6.0, forky 2.14.1."""
    there_or_skip(CORPUS / suite / ".complete")
    return there_or_skip(CORPUS / f"python-{suite}")


def pytorch_source():
    return there_or_skip(CORPUS / "pytorch-2.6.0")


def passed_by_pytest(python, folder, *files):
    """The (class or module, name) of each test of the files that plain pytest passes, told by its own JUnit file."""
    junit = folder / "plain-pytest.xml"
    harness.run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junit-xml={junit}", *files, cwd=folder, timeout=1200)
    try:
        cases = list(xml.parse(junit).iter("testcase"))
    finally:
        junit.unlink()
    bad = ("skipped", "failure", "error")
    return {(case.get("classname").split(".")[-1], case.get("name")) for case in cases if all(case.find(b) is None for b in bad)}


def passed_by_hwsift(document):
    """The same of a hwsift.run/1 document."""
    return {key(result["id"]) for result in document["results"] if result["outcome"] == "passed"}


def key(test_id):
    """(class or module, name) of a pytest id: test/test_x.py::TestAdd::test_add[1] is (TestAdd, test_add[1])."""
    head, bracket, parameters = test_id.partition("[")
    parts = head.split("::")
    return parts[-2].split("/")[-1].removesuffix(".py"), parts[-1] + bracket + parameters
