#!/usr/bin/env python3
"""Runs Python tests and leaves a report in the form of GoogleTest's, so that what reads one reads the other.

usage: tests/run_unittests.py REPORT.xml FILE_test.py…
"""

import importlib.util
import sys
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree


class Recorder(unittest.TextTestResult):
    """Notes each test: class, name, what went wrong, why it was skipped, seconds."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.notes = []

    def startTest(self, test):
        super().startTest(test)
        self.notes.append([type(test).__name__, test.id().split(".")[-1], "", "", time.perf_counter()])

    def stopTest(self, test):
        self.notes[-1][4] = time.perf_counter() - self.notes[-1][4]
        super().stopTest(test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.notes[-1][2] = self.failures[-1][1]

    def addError(self, test, error):
        super().addError(test, error)
        if not self.notes or self.notes[-1][2]:  # outside a test: setUpClass
            self.notes.append([str(test), "set_up", "", "", 0.0])
        self.notes[-1][2] = self.errors[-1][1]

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.notes[-1][2] += f"{subtest}: {error[1]}\n"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if self.notes:
            self.notes[-1][3] = reason


def load(file):
    path = Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # setUpModule is found by its name
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def write(report, notes):
    failed = sum(1 for note in notes if note[2])
    root = ElementTree.Element("testsuites", tests=str(len(notes)), failures=str(failed), name="AllTests")
    suites = {}
    for suite, name, problem, skipped, seconds in notes:
        if suite not in suites:
            suites[suite] = ElementTree.SubElement(root, "testsuite", name=suite)
        result = "skipped" if skipped else "completed"
        case = ElementTree.SubElement(
            suites[suite], "testcase", name=name, classname=suite, status="run", result=result, time=f"{seconds:.3f}"
        )
        if problem:
            ElementTree.SubElement(case, "failure", message=problem.strip().splitlines()[-1]).text = problem
        if skipped:
            ElementTree.SubElement(case, "skipped", message=skipped)
    Path(report).parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(root).write(report, encoding="utf-8", xml_declaration=True)


def main(report, *files):
    suite = unittest.TestSuite(load(file) for file in files)
    result = unittest.TextTestRunner(resultclass=Recorder, verbosity=2).run(suite)
    write(report, result.notes)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
