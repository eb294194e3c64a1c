"""scripts/setup.sh: beside another program that holds the locks of apt-get, on other systems, where something is missing."""

import os
import shutil
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


SYSTEMS = {
    "debian": "ID=debian\nVERSION_ID=12\n",
    "ubuntu": "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=24.04\n",
    "fedora": "ID=fedora\nVERSION_ID=42\n",
}


class Setup(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        (self.folder / "lib").mkdir()
        (self.folder / "lib/libtorch_cpu.so").touch()
        (self.folder / "scripts").mkdir()
        for script in ("setup.sh", "common.sh"):
            shutil.copy(ROOT / "scripts" / script, self.folder / "scripts")
        for name, body in FAKES.items():
            self.fake(name, body)

    def fake(self, name, body):
        (self.folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (self.folder / name).chmod(0o755)

    def calls(self):
        return (self.folder / "calls").read_text().splitlines() if (self.folder / "calls").exists() else []

    def run_setup(self, failures=(), wait="60", system="debian", libtorch=True):
        (self.folder / "failures").write_text("".join(line + "\n" for line in failures))
        (self.folder / "os-release").write_text(SYSTEMS[system])
        environment = os.environ | {
            "PATH": f"{self.folder}:{os.environ['PATH']}", "FOLDER": str(self.folder), "HEED_OS_RELEASE": str(self.folder / "os-release"),
            "CMAKE_PREFIX_PATH": str(self.folder) if libtorch else "", "HEED_APT_WAIT": wait, "TMPDIR": str(self.folder),
        }  # fmt: skip
        return subprocess.run([self.folder / "scripts/setup.sh"], env=environment, capture_output=True, text=True, timeout=60)

    def test_waits_for_the_lock_of_another_program(self):
        result = self.run_setup([LOCKED, LOCKED, "E: Unable to lock directory /var/cache/apt/archives/"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count(WAITING), 1)
        calls = self.calls()
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

    def test_derivatives_of_debian_get_the_same_packages(self):
        result = self.run_setup(system="ubuntu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("another system of their kind", result.stdout)
        self.assertIn("libspdlog-dev", self.calls()[-1])

    def test_nothing_is_downloaded_where_libraries_are_missing(self):
        self.fake("cmake", "echo 'Missing: spdlog, ICU.' >&2; exit 1")
        self.fake("python3", 'echo "python3 $*" >> "$FOLDER/calls"; exit 7')
        result = self.run_setup(system="fedora", libtorch=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("Missing: spdlog, ICU.", result.stderr)
        self.assertIn("nothing was downloaded", result.stderr)
        self.assertIn("libspdlog-dev", result.stdout)
        self.assertEqual(self.calls(), [])

    def test_libtorch_is_downloaded_where_it_alone_is_missing(self):
        self.fake("cmake", "echo 'CMake Error: libtorch was not found' >&2; exit 1")
        self.fake("python3", 'echo "python3 $*" >> "$FOLDER/calls"; exit 7')
        result = self.run_setup(system="fedora", libtorch=False)
        self.assertEqual(result.returncode, 7)
        self.assertEqual(self.calls(), ["python3 -m venv .venv"])
        self.assertIn("PIP_INDEX_URL=https://download.pytorch.org/whl/cpu", result.stdout)


if __name__ == "__main__":
    unittest.main()
