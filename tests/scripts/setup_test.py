"""scripts/setup.sh beside another program that holds the locks of apt-get."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)"
WAITING = "Another program is installing packages; waiting until it is done."
FAKES = {
    "dpkg-query": "",  # no package is installed
    "id": "echo 0",
    "sleep": "",
    # A call fails as long as there is a line of failures; what is asked for is noted.
    "apt-get": 'echo "$*" >> "$FOLDER/calls"; '
    'case "$*" in *--print-uris*) exit 0;; esac; '
    'if [ -s "$FOLDER/failures" ]; then head -n 1 "$FOLDER/failures" >&2; sed -i 1d "$FOLDER/failures"; exit 100; fi',
}


@unittest.skipUnless(Path("/etc/debian_version").exists() and "12" in Path("/etc/os-release").read_text(), "not Debian 12")
class Setup(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        (self.folder / "lib").mkdir()
        (self.folder / "lib/libtorch_cpu.so").touch()
        for name, body in FAKES.items():
            (self.folder / name).write_text(f"#!/bin/sh\n{body}\n")
            (self.folder / name).chmod(0o755)

    def run_setup(self, failures, wait="60"):
        (self.folder / "failures").write_text("".join(line + "\n" for line in failures))
        environment = os.environ | {
            "PATH": f"{self.folder}:{os.environ['PATH']}", "FOLDER": str(self.folder),
            "CMAKE_PREFIX_PATH": str(self.folder), "HEED_APT_WAIT": wait, "TMPDIR": str(self.folder),
        }  # fmt: skip
        return subprocess.run([ROOT / "scripts/setup.sh"], env=environment, capture_output=True, text=True, timeout=60)

    def test_waits_for_the_lock_of_another_program(self):
        result = self.run_setup([LOCKED, LOCKED, "E: Unable to lock directory /var/cache/apt/archives/"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count(WAITING), 1)
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertEqual(["update" in call for call in calls], [True, True, True, True, False, False])
        self.assertIn("install", calls[-1])

    def test_ends_when_the_lock_is_held_for_ever(self):
        result = self.run_setup([LOCKED] * 1000, wait="0")
        self.assertEqual(result.returncode, 1)
        self.assertIn("It is held by process 7 (apt)", result.stderr)

    def test_says_what_else_fails(self):
        result = self.run_setup(["E: Unable to locate package ninja-build"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("Unable to locate package ninja-build", result.stderr)
        self.assertNotIn(WAITING, result.stdout)


if __name__ == "__main__":
    unittest.main()
