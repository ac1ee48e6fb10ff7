"""How ./dev bench runs what it compares."""
import sys
import tempfile
import unittest

import harness

sys.path.insert(0, str(harness.REPOSITORY / "bench"))
from measure import NOT_AT_HAND, Contender, interleaved


def python(name, code, *codes):
    return Contender(name, (sys.executable, "-S", "-c", code), codes or (0,))


class Interleaved(unittest.TestCase):
    def measure(self, *contenders, rounds=1, tell=lambda text: None):
        with tempfile.NamedTemporaryFile() as output:
            return interleaved(contenders, rounds, output.name, tell)

    def test_each_has_as_many_runs_as_rounds_with_all_costs(self):
        runs = self.measure(python("a", "print(1)"), rounds=2)["a"]
        self.assertEqual(len(runs), 2)
        self.assertTrue(all(run.cpu > 0 and run.wall > 0 and run.peak > 0 for run in runs))

    def test_rounds_go_through_all_before_the_next(self):
        told = []
        self.measure(python("a", ""), python("b", ""), rounds=2, tell=told.append)
        self.assertEqual([text[-1:] for text in told], ["a", "b", "a", "b", ""])

    def test_one_that_is_not_at_hand_stops_nobody(self):
        results = self.measure(Contender("gone", ()), python("a", ""))
        self.assertEqual(results["gone"], NOT_AT_HAND)
        self.assertEqual(len(results["a"]), 1)

    def test_an_exit_code_is_a_failure_unless_it_is_one_of_its_own(self):
        results = self.measure(python("bad", "raise SystemExit(2)"), python("found", "raise SystemExit(1)", 0, 1), rounds=2)
        self.assertEqual(results["bad"], "failed with exit code 2")
        self.assertEqual(len(results["found"]), 2)


if __name__ == "__main__":
    harness.main()
