"""The line that scripts/test.sh ends with, and its exit code."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import test_summary  # noqa: E402

PASSED = '<testcase name="Adds" classname="Sum" status="run" result="completed"/>'
FAILED = '<testcase name="Subtracts" classname="Sum" status="run" result="completed"><failure message="2"/></testcase>'
SKIPPED = '<testcase name="Multiplies" classname="Sum" status="run" result="skipped"><skipped message="no\n  data"/></testcase>'


class Summary(unittest.TestCase):
    def summary(self, cases, programs=""):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "base.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
            Path(folder, "ctest-fast.junit").write_text(f"<testsuite>{programs}</testsuite>")
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                code = test_summary.main(folder, "4m 10s")
            return code, output.getvalue().splitlines()

    def test_all_passed(self):
        self.assertEqual((0, ["1 tests passed in 4m 10s"]), self.summary(PASSED, '<testcase name="base" status="run"/>'))

    def test_skipped_ones_are_named(self):
        expected = ["skipped: Sum.Multiplies: no data", "1 tests passed in 4m 10s, 1 skipped"]
        self.assertEqual((0, expected), self.summary(PASSED + SKIPPED))

    def test_skipped_ones_of_one_reason_share_a_line(self):
        more = SKIPPED.replace("Multiplies", "Divides") + SKIPPED.replace("Multiplies", "Adds").replace("no\n", "other ")
        expected = ["skipped: Sum.Multiplies and 1 like it: no data", "skipped: Sum.Adds: other data",
                    "1 tests passed in 4m 10s, 3 skipped"]
        self.assertEqual((0, expected), self.summary(PASSED + SKIPPED + more))

    def test_failed_ones_are_named(self):
        code, lines = self.summary(PASSED + FAILED, '<testcase name="base" status="fail"/>')
        self.assertEqual(1, code)
        self.assertEqual(["failed: Sum.Subtracts", "failed program: base"], lines[:2])
        self.assertEqual("FAILED: 1 tests in 1 programs; 1 tests passed in 4m 10s", lines[-1])

    def test_a_crash_leaves_no_report_but_counts(self):
        self.assertEqual(1, self.summary(PASSED, '<testcase name="text" status="fail"/>')[0])

    def test_no_tests_are_a_failure(self):
        self.assertEqual(1, self.summary("")[0])


if __name__ == "__main__":
    unittest.main()
