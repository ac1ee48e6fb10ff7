"""cmake/check_layers.py refuses an arrow that the design does not have, and nothing else."""
import sys

import harness
from harness import REPOSITORY, HwsiftTest, run


class CheckLayers(HwsiftTest):
    def check(self):
        return run(sys.executable, REPOSITORY / "cmake/check_layers.py", self.tree)

    def test_the_repository_holds(self):
        ran = run(sys.executable, REPOSITORY / "cmake/check_layers.py", REPOSITORY)
        self.assertEqual(ran.code, 0, ran.out)

    def test_lint_and_runner_do_not_know_each_other(self):
        self.write("lint/lint.cc", '#include "classifier/category.h"\n#include "runner/selection.h"\n')
        self.write("runner/select.cc", '#include "lint/finding.h"\n')
        ran = self.check()
        self.assertEqual(ran.code, 1)
        self.assertEqual(ran.out.splitlines()[:2], ["lint/lint.cc:2: lint must not include runner/selection.h",
                                                     "runner/select.cc:1: runner must not include lint/finding.h"])

    def test_arrows_point_one_way(self):
        self.write("base/text.cc", '#include "analyzer/facts.h"\n')
        self.assertEqual(self.check().code, 1)

    def test_libraries_stay_with_their_owner(self):
        self.write("lint/rules.cc", "#include <yaml-cpp/yaml.h>\n")
        ran = self.check()
        self.assertEqual(ran.code, 1)
        self.assertIn("only base may include yaml-cpp/yaml.h", ran.out)

    def test_a_tree_without_sources_is_no_success(self):
        self.assertNotEqual(self.check().code, 0)


if __name__ == "__main__":
    harness.main()
