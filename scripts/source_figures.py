#!/usr/bin/env python3
"""Figures on the C++ sources: sizes, longest functions, what ties parts together.

    scripts/source_figures.py [FOLDER]        FOLDER: a checkout; default: this one

Prints a line a figure, `NAME<tab>VALUE`, so that two checkouts can be compared by paste or diff. Functions are found by the layout
that .clang-format gives: a definition ends with the brace in the column where it begins.
"""

import re
import statistics
import sys
from pathlib import Path

CONTROL = re.compile(r"\s*(if|else|for|while|switch|do|try|catch|return|namespace|class|struct|enum|union|case|default|using)\b")
OF_KINDS = re.compile(r'\btype [!=]= "|dynamic_(pointer_)?cast<const \w+(Config|Encoder)[&*>]')
OF_STATE = re.compile(r'(state|keys|own|view)\w*(\(\))?(\.|->)(get|put|put_shared|has|below|view)\(("|fmt::|name\(|k[A-Z])')
INCLUDE = re.compile(r'#include ([<"])([^">]+)[">]')
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
NO_HEAD = ("//", "#", "}", ":", "{", "INSTANTIATE_")
SAME = 6  # lines of a duplicated run


def functions(lines):
    """(name, number of lines, number of parameters) of each definition."""
    found = []
    i = 0
    while i < len(lines):
        line = lines[i]
        indent = len(line) - len(line.lstrip())
        if indent not in (0, 2) or "(" not in line or CONTROL.match(line) or line.lstrip().startswith(NO_HEAD):
            i += 1
            continue
        head, end = line, i
        while not re.search(r"[;{}]\s*(//.*)?$", lines[end]) and end + 1 < len(lines):
            end += 1
            head += " " + lines[end].strip()
        opened = head.rstrip().endswith("{") and not re.search(r"= \[|= \{$", head)
        if opened or re.search(r"\{.*\}$", head.rstrip()) and not re.search(r"=\s*\{|\{\}\s*;|;$", head):
            close = end
            if opened:
                while close + 1 < len(lines) and not re.match(r" {%d}\}" % indent, lines[close]):
                    close += 1
            name = head.split("(")[0].split()[-1]
            found.append((name, close - i + 1, parameters(head)))
            i = close
        else:
            i = end
        i += 1
    return found


def parameters(head):
    """The number of parameters of the first parentheses of a head."""
    depth, count, inside = 0, 0, ""
    for c in head[head.index("("):]:
        depth += (c in "(<[{") - (c in ")>]}")
        if depth == 0:
            break
        count += c == "," and depth == 1
        inside += c
    return count + 1 if inside.strip("( ") else 0


def sees(files, wanted):
    """The files that include what is wanted, by themselves or by a header of the project."""
    direct, headers = {}, {}
    for name, text in files.items():
        found = INCLUDE.findall(text)
        direct[name] = any(mark == "<" and wanted(path) for mark, path in found)
        headers[name] = [path for mark, path in found if mark == '"' and path in files]
    seen = {name for name, own in direct.items() if own}
    while True:
        more = {name for name in files if name not in seen and seen.intersection(headers[name])}
        if not more:
            return seen
        seen |= more


def duplicated(files):
    """Places where a run of SAME or more lines begins that stands elsewhere too, comments and includes aside."""
    places = {}
    for name, text in files.items():
        lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in lines if len(line) > 3 and not line.startswith(("//", "#include", "namespace", "}"))]
        for i in range(len(lines) - SAME + 1):
            places.setdefault(tuple(lines[i:i + SAME]), []).append((name, i))
    starts = {place for where in places.values() if len(where) > 1 for place in where}
    return sum((name, i - 1) not in starts for name, i in starts)


def sources(base):
    return {str(path.relative_to(base)): path.read_text() for path in sorted(base.rglob("*")) if path.suffix in (".h", ".cpp")}


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    parts = {part: sources(root / part) for part in ("src", "tests")}
    for part, files in parts.items():
        lines = {name: RAW_STRING.sub('""', text).splitlines() for name, text in files.items()}
        of_all = [(length, count, f"{file}:{name}") for file in files for name, length, count in functions(lines[file])]
        lengths = sorted(length for length, _, _ in of_all)
        units = [name for name in files if name.endswith(".cpp")]

        def figure(name, value):
            print(f"{part}: {name}\t{value}")

        figure("files", len(files))
        figure("lines", sum(map(len, lines.values())))
        figure("lines of a file, median", round(statistics.median(map(len, lines.values()))))
        figure("functions", len(of_all))
        figure("lines of a function, median", round(statistics.median(lengths)))
        figure("functions of more than 30 lines", sum(length > 30 for length in lengths))
        for length, _, name in sorted(of_all, reverse=True)[:5]:
            figure(f"longest: {name}", length)
        figure("functions of more than 6 parameters", sum(count > 6 for _, count, _ in of_all))
        for _, count, name in sorted(of_all, key=lambda one: -one[1])[:3]:
            figure(f"most parameters: {name}", count)
        figure("units", len(units))
        torch = sees(parts["src"] | files, lambda path: path.startswith(("torch/", "ATen/", "c10/")))
        figure("units that see libtorch", sum(name in torch for name in units))
        figure("places of duplicated lines", duplicated(files))
        if part == "src":
            outside = {name: text for name, text in files.items() if not name.startswith("config/")}
            figure("places that ask for a kind by name or class", sum(len(OF_KINDS.findall(t)) for t in outside.values()))
            figure("places that name a part of the state by a string", sum(len(OF_STATE.findall(t)) for t in outside.values()))
            figure("mentions of torch::nn::Linear", sum(t.count("torch::nn::Linear") for t in files.values()))


if __name__ == "__main__":
    main()
