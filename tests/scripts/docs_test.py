"""What pages quote of the source is what stands there, and what they draw is what was measured."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "bench"))
import performance_chart  # noqa: E402


def quotes(page):
    parts = (ROOT / page).read_text().split("```cpp\n")[1:]
    return [part.split("```")[0].strip("\n") for part in parts]


class NewMechanism(unittest.TestCase):
    SOURCES = ["src/nn/attention/terms/alibi.cpp", "src/nn/attention/terms/alibi_config.cpp", "src/nn/attention/scores/general.cpp",
               "src/nn/attention/mechanisms.def", "tests/reference/terms.h", "tests/nn/attention_definition.h",
               "tests/nn/attention_definition.h", "tests/learning/rows.cpp", "tests/learning/rows.cpp"]

    def test_quotes_the_source(self):
        found = quotes("docs/new-mechanism.md")
        self.assertEqual(len(found), len(self.SOURCES))
        for quote, source in zip(found, self.SOURCES):
            self.assertIn(quote, (ROOT / source).read_text(), source)


class Performance(unittest.TestCase):
    def test_chart_has_the_measurements(self):
        drawn = (ROOT / "docs/performance.svg").read_text()
        self.assertTrue(drawn == performance_chart.chart(),
                        "docs/performance.svg is stale; draw it anew: scripts/bench/performance_chart.py")


class Libtorch(unittest.TestCase):
    """The command that installs it is the same everywhere, and names the version that packages are made with."""

    COMMAND = "pip install --no-deps --index-url https://download.pytorch.org/whl/cpu --target "

    def test_one_command_installs_it(self):
        pages = {"docs/library.md": "FOLDER torch==2.13.0", "cmake/packages.cmake": "${CMAKE_INSTALL_FULL_LIBDIR}/heed torch==${HEED_TORCH_VERSION}"}
        for page, rest in pages.items():
            found = re.findall(r"pip install [^`\n\"]*torch==[^ `\n\"]*", (ROOT / page).read_text())
            self.assertEqual([self.COMMAND + rest], found, page)
        source = re.sub(r'"\s*"', "", (ROOT / "src/load/with_libtorch.cpp").read_text())
        self.assertIn(self.COMMAND + "{} torch=={}", source)

    def test_one_version_is_named(self):
        patterns = {"cmake/libraries.cmake": r"set\(HEED_TORCH_VERSION ([0-9.]+)\)", "scripts/setup.sh": r"^torch_version=([0-9.]+)",
                    "src/python/pyproject.toml": r"torch==([0-9.]+)", "docs/library.md": r"torch==([0-9.]+)"}
        found = {page: re.findall(pattern, (ROOT / page).read_text(), re.MULTILINE) for page, pattern in patterns.items()}
        self.assertEqual({page: ["2.13.0"] for page in patterns}, found)

    def test_the_commands_that_need_it_are_listed(self):
        section = (ROOT / "docs/library.md").read_text().split("## Models that need libtorch")[1].split("\n## ")[0]
        for file in (ROOT / "src/cli").glob("*/*.cpp"):
            if "run_with_tensors" in file.read_text():
                self.assertRegex(section, f"`{file.stem} ?[a-z]*`")
        for word in re.findall(r"`([a-z]+)[a-z ]*`", section.split("- other models")[0].split("needed by")[1]):
            own = "".join(file.read_text() for file in (ROOT / "src/cli" / word).glob("*.cpp"))
            self.assertRegex(own, "run_with_tensors|open_tensor_library", word)


class Service(unittest.TestCase):
    def test_the_unit_with_tokens_has_the_arguments_of_the_usual_one(self):
        def command(text):
            return re.findall(r"^ *ExecStart=\S*/heed (.+)", text, re.MULTILINE)[-1].split()
        usual = command((ROOT / "cmake/heed-serve@.service.in").read_text())
        changed = command((ROOT / "docs/serving.md").read_text())
        self.assertEqual([], [word for word in usual if word not in changed])


if __name__ == "__main__":
    unittest.main()
