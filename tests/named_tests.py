"""Writes an entry for ctest of each test of a GoogleTest program, so that `ctest -R NAME` runs it alone.

usage: named_tests.py PROGRAM FOLDER OUTPUT SOURCE NAME=VALUE...     SOURCE: where tests run; then their environment

A test with many parameters has one entry. The entries have the label `named`; the runs of whole programs have other labels.
"""

import subprocess
import sys


def read_list(text):
    """The filters of each test, by its name without parameters: "Beam.Ends" -> {"All/Beam.Ends/*"}."""
    filters, suite = {}, ""
    for line in text.splitlines():
        name = line.split("#")[0].rstrip()
        if not line.startswith(" "):
            suite = name.removesuffix(".") if name.endswith(".") else ""
        elif suite:
            test, slash, _ = name.strip().partition("/")
            parts = [part for part in suite.split("/") if not part.isdigit()]  # prefix, suite, number of a type
            filters.setdefault(f"{parts[-1]}.{test}", set()).add(f"{suite}.{test}{slash}{'*' if slash else ''}")
    return filters


def main():
    program, folder, output, source, *environment = sys.argv[1:]
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    with open(output, "w", encoding="utf-8") as file:
        for name, filters in sorted(read_list(listed).items()):
            entry = f"[=[{folder}.{name}]=]"
            file.write(f"add_test({entry} [=[{program}]=] [=[--gtest_filter={':'.join(sorted(filters))}]=])\n")
            file.write(f"set_tests_properties({entry} PROPERTIES LABELS named WORKING_DIRECTORY [=[{source}]=] ")
            file.write(f"ENVIRONMENT [=[{';'.join(environment)}]=])\n")


if __name__ == "__main__":
    main()
