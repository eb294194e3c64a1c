#!/usr/bin/env python3
"""Says what came of the tests, by the reports they left: failures, what was skipped, one line at the end.

usage: scripts/test_summary.py REPORTS TIME      exits with 1 if a test failed, or if there is none
"""

import sys
from pathlib import Path
from xml.etree import ElementTree


def test_cases(folder, pattern="*.xml"):
    """What the reports of a folder say of each test, as XML."""
    for path in sorted(folder.glob(pattern)):
        yield from ElementTree.parse(path).iter("testcase")


def name_of(case):
    """Suite.Test"""
    return f"{case.get('classname')}.{case.get('name')}"


def read_reports(folder):
    """Each test: name, failed, reason for skipping (or None)."""
    for case in test_cases(folder):
        skipped = case.find("skipped")
        reason = skipped.get("message", "").strip() if skipped is not None else None
        yield name_of(case), case.find("failure") is not None, reason


def failed_programs(folder):
    """What CTest saw fail: also programs that crashed or ran out of time, and so left no report."""
    for case in test_cases(folder, "ctest-*.junit"):
        if case.get("status") != "run":
            yield case.get("name")


def by_reason(skipped):
    """The names of what was skipped, together for each reason."""
    groups = {}
    for name, reason in skipped:
        groups.setdefault(" ".join(reason.split()) or "no reason given", []).append(name)
    return groups


def main(folder, time):
    tests = list(read_reports(Path(folder)))
    failed = [name for name, bad, _ in tests if bad]
    skipped = [(name, reason) for name, _, reason in tests if reason is not None]
    programs = list(failed_programs(Path(folder)))
    for reason, names in by_reason(skipped).items():
        others = f" and {len(names) - 1} like it" if len(names) > 1 else ""
        print(f"skipped: {names[0]}{others}: {reason}")
    for name in failed:
        print(f"failed: {name}")
    for name in programs:
        print(f"failed program: {name}")
    passed = len(tests) - len(failed) - len(skipped)
    line = f"{passed} tests passed in {time}" + (f", {len(skipped)} skipped" if skipped else "")
    if failed or programs or not passed:
        print(f"FAILED: {len(failed)} tests in {len(programs)} programs; {line}")
        return 1
    print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
