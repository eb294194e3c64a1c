"""scripts/source_figures.py finds functions, what files include, and lines that stand twice."""

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import source_figures  # noqa: E402

SOURCE = """\
namespace heed {

int twice(int x) { return 2 * x; }

Tensor of_two(const std::map<std::string, Tensor>& named,
              int64_t count) {
  if (count > 0) {
    return named.begin()->second;
  }
  return {};
}

class Layer final : public Module {
 public:
  explicit Layer(int64_t width) : width_(width) {
    register_module("a", a_);
  }
  int64_t width() const;

 private:
  int64_t width_;
};

const auto kPlain = [](int x) {
  return x;
};

}  // namespace heed
"""


class Functions(unittest.TestCase):
    def test_are_found_with_their_lines_and_parameters(self):
        self.assertEqual(
            [("twice", 1, 1), ("of_two", 7, 2), ("Layer", 3, 1)],
            source_figures.functions(SOURCE.splitlines()),
        )


class Includes(unittest.TestCase):
    def test_are_followed_through_headers(self):
        files = {
            "a.cpp": '#include "b.h"\n',
            "b.h": '#include "c.h"\n',
            "c.h": "#include <torch/types.h>\n",
            "d.cpp": "#include <string>\n",
        }
        self.assertEqual({"a.cpp", "b.h", "c.h"}, source_figures.sees(files, lambda path: path.startswith("torch/")))


class Duplicates(unittest.TestCase):
    def test_are_counted_where_a_run_begins(self):
        run = "".join(f"  statement({i});\n" for i in range(source_figures.SAME + 2))
        self.assertEqual(2, source_figures.duplicated({"a.cpp": run + "  other();\n", "b.cpp": "  more();\n" + run}))
        self.assertEqual(0, source_figures.duplicated({"a.cpp": run}))


if __name__ == "__main__":
    unittest.main()
