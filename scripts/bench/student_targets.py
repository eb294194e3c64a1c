#!/usr/bin/env python3
"""One student on every target: whether its text is the same everywhere, and how fast it is there and in other programs.

    scripts/bench/student_targets.py STUDENT --source test.en [--reference test.de] [--peer PEER] [--beam 1] [--instructions avx2]

STUDENT is the folder of `heed distill`, or a packed model; a packed model alone has no run, no lexicon and no training text. The first
row of the table is `heed translate` with the packed model. Others are the run in int8, `heed serve` over HTTP, the Python package, the
module for browsers in node, and the page of `heed export page` in Chromium. Their text must be the same; if a line differs, it is
printed, and the exit code is 1. CTranslate2 and fxtranslate quantize in another way, so their equal lines are counted. A target that is not
installed, or that the student does not fit, has a row with the reason.

All have one decoding thread and are measured in turns: words of the source per second of processor time, without the start, which is the
time of a single line. The time includes a client in Python for the server, and the browser for the page. Each turn of a target takes about
--seconds. Speeds and ratios are medians of the turns. CTranslate2 has its best batch of those given, and the others their usual one.

PEER is a virtual environment; only what it has is measured:
    python3 -m venv PEER && PEER/bin/pip install ctranslate2==4.8.5 sentencepiece==0.2.0 fxtranslate==0.5.0
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import robustness
from processor import processor
from translation_speed import HEED, ROOT, Program, ctranslate2

HERE = Path(__file__).resolve().parent
MODULE = ROOT / "build/wasm/browser"


class LeftOut(Exception):
    """The reason why a target is not measured."""


class Student(NamedTuple):
    packed: Path
    run: Path | None = None
    lexicon: Path | None = None
    text: Path | None = None  # source side of its training

    @classmethod
    def find(cls, path):
        if path.is_file():
            return cls(path)
        found = cls(path / "student.heed", path / "student", path / "pack/lexicon", path / "filter/source")
        if not found.packed.is_file():
            sys.exit(f"{path}: found no student.heed, expected the folder of a finished `heed distill`, or a packed model")
        return found._replace(lexicon=found.lexicon if found.lexicon.exists() else None)


class Target(NamedTuple):
    program: Program
    files: list  # that it reads
    same: bool = True  # its text must be that of heed translate


def call_heed(*arguments):
    done = subprocess.run([HEED, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if line.strip()]
        raise LeftOut(errors[-1].removeprefix("heed: ") if errors else f"heed {arguments[0]}: exit code {done.returncode}")


def version(python, package):
    """Of a package in the environment of this Python."""
    script = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))"
    try:
        return subprocess.run([python, "-c", script, package], check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise LeftOut(f"{package} is not installed in {python.parents[1]}") from None


class Targets:
    """The targets of a student. Each method makes one, or raises LeftOut."""

    def __init__(self, student, given, folder):
        self.student, self.given, self.folder = student, given, folder

    def driver(self, python, name, file, *environment):
        return ["env", *environment, python, HERE / "student_drivers.py", name, file, self.given.beam]

    def translate(self, model, *options):
        return [HEED, "translate", model, "--beam", self.given.beam, "--workers", 1, *options]

    def program(self):
        return Target(make_program("heed translate", self.translate(self.student.packed)), [self.student.packed])

    def instructions(self, name):
        command = ["env", f"HEED_INSTRUCTIONS={name}", *self.translate(self.student.packed)]
        return Target(make_program(name, command), [self.student.packed])

    def run(self):
        if self.student.run is None:
            raise LeftOut("the run of a packed model is not known; give the folder of heed distill")
        lexicon = ["--shortlist", self.student.lexicon] if self.student.lexicon else []
        model = next(folder for folder in (self.student.run / "best/model", self.student.run / "latest/model") if folder.exists())
        command = self.translate(self.student.run, "--precision", "int8", *lexicon)
        return Target(make_program("run", command), [model, *lexicon[1:]])

    def server(self):
        return Target(make_program("heed serve", self.driver(sys.executable, "server", self.student.packed)), [self.student.packed])

    def python(self):
        environment = []
        python = self.given.python
        if python is None:
            library = ROOT / "build/release/lib/libheed.so"
            if not library.exists():
                raise LeftOut(f"there is no {library}; build heed, or give the Python of an environment with its wheel by --python")
            python, environment = sys.executable, [f"PYTHONPATH={ROOT / 'src/python'}", f"HEED_LIBRARY={library}"]
        return Target(make_program("Python", self.driver(python, "python", self.student.packed, *environment)), [self.student.packed])

    def module(self, name):
        self.check_module()
        node = node_for(name)
        command = [*node, HERE / "student_module.js", self.given.module, name, self.student.packed, self.given.beam]
        return Target(make_program(name, command), [self.student.packed, self.given.module / f"{name}.gz"], same=name == "heed.wasm")

    def page(self):
        self.check_module()
        if shutil.which("chromium") is None:
            raise LeftOut("chromium is not installed; scripts/setup.sh --checks installs it")
        python = next((one for one in (Path(sys.executable), ROOT / ".venv/bin/python") if can_import(one, "playwright")), None)
        if python is None:
            raise LeftOut("the package playwright is not installed; scripts/setup.sh --checks installs it")
        page = self.folder / "page.html"
        call_heed("export", "page", self.student.packed, "-o", page, "--module", self.given.module)
        return Target(make_program("page", self.driver(python, "page", page)), [page])

    def ctranslate2(self, vmap=False):
        python = self.peer("ctranslate2")
        if vmap and self.student.lexicon is None:
            raise LeftOut("the student has no lexicon")
        model = self.folder / ("vmap" if vmap else "ctranslate2")
        call_heed("export", "ctranslate2", self.student.run or self.student.packed, model, "--precision", "int8")
        if vmap:
            write_vmap(self.student.lexicon, model)
        program = ctranslate2(python.parents[1], model, workers=1, vmap=vmap)
        return Target(Program(program.name, lambda batch=64: program.command("int8", self.given.beam, batch)), [model], same=False)

    def fxtranslate(self):
        python = self.peer("fxtranslate")
        if self.given.beam != 1:
            raise LeftOut("it searches greedily: --beam 1")
        model = self.folder / "marian"
        lexicon = ["--shortlist", self.student.lexicon] if self.student.lexicon else []
        text = self.student.text or self.given.source
        call_heed("export", "marian", self.student.run or self.student.packed, model, "--format", "int8", "--calibrate", text, *lexicon)
        return Target(make_program("fxtranslate", self.driver(python, "fxtranslate", model)), [model], same=False)

    def measure(self, target, lines):
        """A program of others that fails is left out, with the last line of its log; one of heed's must not fail."""
        try:
            return Measured(target, lines, self.given)
        except RuntimeError as error:
            if target.same:
                raise
            raise LeftOut(f"it fails: {str(error).strip().splitlines()[-1]}") from None

    def peer(self, package):
        if self.given.peer is None:
            raise LeftOut("no --peer is given")
        python = self.given.peer.absolute() / "bin/python"
        version(python, package)
        return python

    def check_module(self):
        if not (self.given.module / "heed.wasm.gz").exists():
            raise LeftOut(f"there is no module in {self.given.module}; scripts/wasm.sh builds it")

    def all(self, lines):
        """A name and what is measured, or in its place the reason why the target is left out, of each row."""
        rows = [("`heed translate`, packed", self.program)]
        rows += [(f"the same, instructions {name}", lambda name=name: self.instructions(name)) for name in self.given.instructions]
        rows += [
            ("`heed translate --precision int8`, run", self.run),
            ("`heed serve`", self.server),
            ("Python package", self.python),
            ("module for browsers, node", lambda: self.module("heed.wasm")),
            ("module without relaxed SIMD, node", lambda: self.module("heed-plain.wasm")),
            ("page, Chromium", self.page),
            ("CTranslate2, int8", self.ctranslate2),
            ("CTranslate2, int8, vocabulary map", lambda: self.ctranslate2(vmap=True)),
            ("fxtranslate, int8", self.fxtranslate),
        ]
        for name, make in rows:
            try:
                yield name, self.measure(make(), lines)
            except LeftOut as reason:
                yield name, str(reason)


def make_program(name, command):
    return Program(name, lambda: list(map(str, command)))


def write_vmap(lexicon, folder, best=50, frequent=100):
    """The lexicon as a vocabulary map of CTranslate2, with the tokens of heed's shortlist: the best translations of each source token, and
    the first tokens of the vocabulary."""
    found = {}
    for line in lexicon.read_text(encoding="utf-8").splitlines():
        target, source, probability = line.split(" ")
        found.setdefault(source, []).append((float(probability), target))
    vocabulary = next(path for name in ("shared", "target") for path in [folder / f"{name}_vocabulary.json"] if path.exists())
    tokens = json.loads(vocabulary.read_text(encoding="utf-8"))
    lines = ["\t" + " ".join(tokens[:frequent])]
    lines += [source + "\t" + " ".join(token for _, token in sorted(targets, reverse=True)[:best]) for source, targets in found.items()]
    (folder / "vmap.txt").write_text(text_of(lines), encoding="utf-8")


def can_import(python, package):
    return python.exists() and subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode == 0


def node_for(module):
    """The command of node that can run the module: node 20 needs an option for relaxed SIMD."""
    if shutil.which("node") is None:
        raise LeftOut("node is not installed; scripts/setup.sh --browser installs it")
    commands = (["node"], ["node", "--experimental-wasm-relaxed-simd"])
    if module == "heed-plain.wasm":
        return commands[0]
    can_fuse = (ROOT / "src/browser/heed.js").read_text(encoding="utf-8") + "; process.exit(Heed.canFuse() ? 0 : 1)"
    for command in commands:
        if subprocess.run([*command, "-e", can_fuse], capture_output=True).returncode == 0:
            return command
    raise LeftOut("this node has no relaxed SIMD")


def size(files):
    return sum(one.stat().st_size for path in files for one in ([path] if path.is_file() else path.rglob("*")) if one.is_file())


class Measured:
    """What is known of a target: its text, its best batch, and its speed in each turn."""

    def __init__(self, target, lines, given):
        self.target, self.lines = target, lines
        run = target.program.run
        self.start = min(run(text_of(lines[:1])).processor_seconds for _ in range(3))
        first = run(text_of(lines))
        self.output = first.lines
        if len(self.output) != len(lines):
            raise RuntimeError(f"{target.program.name}: found {len(self.output)} translations, expected {len(lines)}")
        self.repeat = max(1, round(given.seconds / max(first.processor_seconds - self.start, 0.001)))
        self.how = []
        if target.program.name == "CTranslate2":
            self.how = [min(given.batches, key=lambda batch: run(text_of(lines * self.repeat), batch).processor_seconds)]
        self.speeds = []
        self.whole = []  # translations of the repeated text

    def take_turn(self):
        done = self.target.program.run(text_of(self.lines * self.repeat), *self.how)
        words = self.repeat * sum(len(line.split()) for line in self.lines)
        self.speeds.append(words / max(done.processor_seconds - self.start, 1e-9))
        self.whole = done.lines

    def equal(self, expected):
        """For each line whether all its translations are the expected one."""
        count = len(expected)
        return [all(text == one for text in (self.output[i], *self.whole[i::count])) for i, one in enumerate(expected)]


def text_of(lines):
    return "".join(line + "\n" for line in lines)


def bleu(lines, reference, count):
    """BLEU of the lines beside the first lines of the reference."""
    with tempfile.TemporaryDirectory() as folder:
        output, wanted = Path(folder) / "output", Path(folder) / "reference"
        output.write_text(text_of(lines), encoding="utf-8")
        wanted.write_text(text_of(read_lines(reference)[:count]), encoding="utf-8")
        return robustness.score(output, wanted)


def read_lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def row(name, own, first, given, lines):
    equal = own.equal(first.output)
    ratio = statistics.median(one / other for one, other in zip(own.speeds, first.speeds))
    cells = [name, f"{sum(equal):,}", f"{size(own.target.files) / 1e6:.2f} MB", f"{statistics.median(own.speeds):,.0f}", f"{ratio:.2f}"]
    if given.reference:
        cells.insert(2, bleu(own.output, given.reference, len(lines)))
    return "| " + " | ".join(cells) + " |"


def differences(name, own, first, lines):
    """Lines of a target that must be the same and are not, for the reader."""
    return [f"{name}: line {i + 1}: {line}\n  expected: {first.output[i]}\n  found:    {own.output[i]}"
            for i, (line, equal) in enumerate(zip(lines, own.equal(first.output))) if not equal] if own.target.same else []


def read_arguments(arguments):
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("student", type=Path, help="folder of heed distill, or packed model")
    options.add_argument("--source", type=Path, required=True)
    options.add_argument("--reference", type=Path)
    options.add_argument("--peer", type=Path, help="virtual environment with ctranslate2 and sentencepiece, or fxtranslate")
    options.add_argument("--python", type=Path, help="Python of an environment with heed's wheel (that of this build)")
    options.add_argument("--module", type=Path, default=MODULE, help="folder of the module for browsers")
    options.add_argument("--beam", type=int, default=1)
    options.add_argument("--lines", type=int, help="only the first ones of the source")
    options.add_argument("--instructions", nargs="+", default=[], help="instruction sets of this processor for more rows: avx2, avx512_vnni")
    options.add_argument("--rounds", type=int, default=3, help="turns of each target")
    options.add_argument("--seconds", type=float, default=2, help="processor time of a turn, about")
    options.add_argument("--batches", type=int, nargs="+", default=[16, 64, 256], help="tried for CTranslate2")
    return options.parse_args(arguments)


def main(arguments=None):
    given = read_arguments(arguments)
    lines = read_lines(given.source)[:given.lines]
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        rows = list(Targets(Student.find(given.student), given, Path(folder)).all(lines))
        measured = [own for _, own in rows if isinstance(own, Measured)]
        for _ in range(given.rounds):
            for own in measured:
                own.take_turn()
        first = measured[0]
        print(f"{processor()}, one thread each, load {os.getloadavg()[0]:.1f}; {len(lines):,} lines, beam {given.beam}, {given.rounds} turns\n")
        scores = ["BLEU"] if given.reference else []
        head = ["target", "equal lines", *scores, "files", "words/s", "ratio"]
        print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
        faults = []
        for name, own in rows:
            if isinstance(own, Measured):
                print(row(name, own, first, given, lines), flush=True)
                faults += differences(name, own, first, lines)
            else:
                print(f"| {name} | left out: {own} |" + " |" * (len(head) - 2))
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(f"{len(faults)} lines differ where the text must be the same")


if __name__ == "__main__":
    main()
