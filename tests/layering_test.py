"""Holds the layers of src/: who may include whom stands in src/CMakeLists.txt (MAY_INCLUDE), and nowhere else.

Beside the arrows between folders: each outside library is seen by the one folder that wraps it, and nothing that is
built without libtorch reaches a header of libtorch, over however many of our own headers.
"""

import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[1]))
ROW = re.compile(r"^[ \t]*heed_(folder|settings)\((\w+)([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
OWNERS = {"yaml-cpp/": "config", "sentencepiece": "text", "CLI/": "cli", "microhttpd": "serve", "cld2/": "text", "md4c": "document"}
TORCH = ("torch/", "ATen/", "c10/", "caffe2/")
# Files are opened by src/base/descriptor.cpp, which waits for no pipe; the standard streams by run_program.cpp; a file of
# torch.save() once more by libtorch, after it was opened as a regular file.
OPENS = re.compile(r"std::(?:basic_)?[io]?fstream|\bfilebuf\b|\b(?:std::)?f(?:re|d)?open\(|(?<!\w)::open(?:at)?\(|\bopen(?:at)?\([^)]*\bO_")
MAY_OPEN = {"base/descriptor.cpp", "cli/run_program.cpp", "base/system/linux.cpp", "base/system/plain.cpp"}
# Calls of Linux alone are in src/base/system/, beside a plain way for other systems; the files of control groups are read where they exist,
# and kernels ask for registers of their instruction sets.
LINUX = re.compile(r'"/proc/|"/sys/|\b(?:renameat2|accept4|pipe2|memfd_create|prctl|sched_[gs]etaffinity|fexecve|getrandom|copy_file_range|sendfile|fallocate|'
                   r"epoll_\w+|inotify_\w+|eventfd|signalfd|timerfd_\w+|pidfd_\w+|mallinfo2?|malloc_trim|gettid|O_TMPFILE|O_PATH|SOCK_CLOEXEC|SOCK_NONBLOCK|POLLRDHUP|"
                   r"st_[amc]tim|MAP_POPULATE|MADV_HUGEPAGE|RENAME_\w+)\b|<(?:linux/\w+|sys/prctl|sys/sendfile|sys/sysinfo|malloc)\.h>")
MAY_CALL_LINUX = ("base/system/", "base/control_group.h", "base/memory.cpp", "kernels/")
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: *:[^;]*)? *\{", re.MULTILINE)
IS_SETTINGS = re.compile(r"_(?:config|spec)\.(?:h|cpp)$|\.def$")  # a list names settings and modules alike
ANYWHERE = {"precompiled.h"}  # of src/ itself: the one compiled header, only for files that see libtorch


class Rows:
    """The table in src/CMakeLists.txt: folder → what it may include, with what that may include."""

    def __init__(self, text):
        # heed_settings(nn …) is the row of nn_config, the files of nn that are free of tensors.
        rows = {name + ("_config" if kind == "settings" else ""): words.split() for kind, name, words in ROW.findall(text)}
        self.tensors = {name for name, words in rows.items() if "TENSORS" in words}
        direct = {name: {w.removeprefix("heed_") for w in words if w.startswith("heed_")} for name, words in rows.items()}
        for name in direct:
            if name + "_config" in direct:
                direct[name].add(name + "_config")
        self.allowed = {name: self.closure(name, direct) for name in direct}
        self.allowed["cli"] = set(direct) | {"cli"}  # the top sees all; it is no row, but built in its own folder
        self.allowed["browser"] = {"browser", *self.closure("load", direct), *self.closure("request", direct)}  # built in its own folder, too
        self.allowed["python"] = {"heed", "python"}  # the interface alone; built in its own folder as well

    @staticmethod
    def closure(name, direct):
        found, waiting = {name}, [name]
        while waiting:
            for below in direct.get(waiting.pop(), set()) - found:
                found.add(below)
                waiting.append(below)
        return found


class Sources:
    """The files of src/ and what each includes: our own (path below src/) and others, with their lines."""

    def __init__(self, src):
        self.src = src
        self.own, self.others = {}, {}
        for path in sorted(p for p in src.rglob("*") if p.suffix in (".h", ".cpp", ".def")):
            name = path.relative_to(src).as_posix()
            text = path.read_text(encoding="utf-8")
            found = [(m.group(1), m.group(2), text.count("\n", 0, m.start()) + 1) for m in INCLUDE.finditer(text)]
            self.own[name] = [(quoted, line) for quoted, _, line in found if quoted]
            self.others[name] = [(angled, line) for _, angled, line in found if angled]

    def reaches_torch(self, name, seen):
        """The way from a file to a header of libtorch, or None."""
        seen.add(name)
        for header, _ in self.others.get(name, ()):
            if header.startswith(TORCH):
                return [name, header]
        for header, _ in self.own.get(name, ()):
            if header not in seen:
                way = self.reaches_torch(header, seen)
                if way:
                    return [name] + way
        return None


def folder_of(name):
    return name.split("/")[0]


def row_of(name, rows):
    """The row that a file belongs to: that of its folder, or of the settings in it."""
    settings = folder_of(name) + "_config"
    return settings if settings in rows.allowed and IS_SETTINGS.search(name) else folder_of(name)


def is_built_without_torch(name, rows):
    if name in ANYWHERE or row_of(name, rows) in rows.tensors:
        return False
    return folder_of(name) != "cli" or "/tensors/" not in name


def arrow_problems(sources, rows):
    for name, includes in sources.own.items():
        if name in ANYWHERE:
            continue
        row = row_of(name, rows)
        if row not in rows.allowed:
            yield f"src/{name}: the folder has no row in src/CMakeLists.txt"
            continue
        for header, line in includes:
            if header not in sources.own:
                yield f"src/{name}:{line}: \"{header}\" is no file of src/: write it as seen from src/, others in <…>"
            elif header not in ANYWHERE and row_of(header, rows) not in rows.allowed[row]:
                yield f"src/{name}:{line}: {row} may not include {row_of(header, rows)} (\"{header}\")"


def library_problems(sources, rows):
    for name, includes in sources.others.items():
        for header, line in includes:
            for prefix, owner in OWNERS.items():
                if header.startswith(prefix) and folder_of(name) != owner:
                    yield f"src/{name}:{line}: only {owner} may include <{header}>"
        if is_built_without_torch(name, rows):
            way = sources.reaches_torch(name, set())
            if way:
                yield f"src/{name}: is built without libtorch, but reaches it: {' -> '.join(way)}"


def name_problems(sources):
    """Two types of one name in headers: where both are linked, the functions of one would run on objects of the other."""
    owners = {}
    for name in sources.own:
        if name.endswith(".h") and folder_of(name) != "heed":  # its types are in a namespace of their own
            for found in TYPE.findall((sources.src / name).read_text(encoding="utf-8")):
                owners.setdefault(found, {})[name] = True
    for found, names in owners.items():
        if len(names) > 1:
            yield f"{found} is defined in {' and '.join(f'src/{name}' for name in names)}"


def opening_problems(sources):
    for name in sources.own:
        if name in MAY_OPEN:
            continue
        for number, line in enumerate((sources.src / name).read_text(encoding="utf-8").splitlines(), 1):
            if OPENS.search(line):
                yield f"src/{name}:{number}: only base/descriptor.cpp opens files: {line.strip()}"


def system_problems(sources):
    for name in sources.own:
        if name.startswith(MAY_CALL_LINUX):
            continue
        for number, line in enumerate((sources.src / name).read_text(encoding="utf-8").splitlines(), 1):
            if LINUX.search(line):
                yield f"src/{name}:{number}: only base/system/ uses what Linux alone has: {line.strip()}"


def problems(src):
    rows = Rows((src / "CMakeLists.txt").read_text(encoding="utf-8"))
    sources = Sources(src)
    return list(arrow_problems(sources, rows)) + list(library_problems(sources, rows)) + list(opening_problems(sources)) + list(system_problems(sources)) + list(name_problems(sources))


class Layering(unittest.TestCase):
    def test_every_arrow_is_in_the_table(self):
        self.assertEqual([], problems(ROOT / "src"))

    def test_the_table_has_the_folders_of_the_architecture(self):
        rows = Rows((ROOT / "src/CMakeLists.txt").read_text(encoding="utf-8"))
        lowest_first = "base config text data metric report kernels packed results search nn_config model_config distributed_config train_config run sweep inference markup translate clean glossary align document request load browser serve heed python nn distributed model exchange network train cli".split()
        self.assertEqual(set(lowest_first), set(rows.allowed))
        self.assertEqual({"nn", "distributed", "model", "exchange", "network", "train"}, rows.tensors)
        for name, allowed in rows.allowed.items():
            above = set(lowest_first[lowest_first.index(name) + 1 :])
            self.assertEqual(set(), allowed & above, f"{name} may include what is above it")


class Commands(unittest.TestCase):
    def test_each_has_a_folder_and_a_line(self):
        lines = re.findall(r"^COMMAND\((\w+)\)$", (ROOT / "src/cli/commands.def").read_text(encoding="utf-8"), re.MULTILINE)
        folders = {path.name for path in (ROOT / "src/cli").iterdir() if path.is_dir()} - {"tensors"}
        variants = {"summarize": "translate", "manual": "completion"}  # two commands of one folder
        self.assertEqual(folders, {variants.get(name, name) for name in lines})
        self.assertEqual(len(lines), len(set(lines)))


class PlantedViolations(unittest.TestCase):
    """The test above can fail: each kind of violation is found in a small tree that has just this one."""

    TABLE = "heed_folder(base LIBRARIES z)\nheed_folder(text MAY_INCLUDE heed_base)\nheed_settings(nn MAY_INCLUDE heed_base)\nif(T)\n  heed_folder(nn TENSORS MAY_INCLUDE heed_text)\nendif()\n"
    CLEAN = {
        "base/error.h": "#include <string>\n",
        "text/codec.h": '#include <sentencepiece_processor.h>\n#include "base/error.h"\n',
        "nn/layer.cpp": '#include <torch/types.h>\n#include "base/error.h"\n#include "text/codec.h"\n',
        "cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "text/codec.h"\n',
        "cli/train/tensors/run.cpp": '#include "nn/layer.h"\n',
        "nn/layer.h": '#include <torch/types.h>\n#include "nn/layer_config.h"\n',
        "nn/layer_config.h": '#include "base/error.h"\n#include "nn/layers.def"\n',
        "nn/layers.def": "",
    }

    def found(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            files = {"CMakeLists.txt": self.TABLE, **self.CLEAN, **changes}
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return problems(Path(folder))

    def expect(self, name, text, message):
        found = self.found({name: text})
        self.assertEqual(1, len(found), found)
        self.assertIn(message, found[0])

    def test_a_clean_tree_passes(self):
        self.assertEqual([], self.found({}))

    def test_upward_arrow(self):
        self.expect("base/error.cpp", '\n#include "text/codec.h"\n', "src/base/error.cpp:2: base may not include text")

    def test_header_that_is_not_there(self):
        self.expect("base/a.cpp", '  #  include "base/gone.h"\n', "is no file of src/")

    def test_folder_without_a_row(self):
        self.expect("extra/a.h", "", "no row")

    def test_name_as_seen_from_its_own_folder(self):
        self.expect("text/codec.cpp", '#include "codec.h"\n', "as seen from src/")

    def test_outside_libraries(self):
        self.expect("nn/a.cpp", "#include <yaml-cpp/yaml.h>\n", "only config")
        self.expect("base/a.cpp", "#include <sentencepiece_trainer.h>\n", "only text")
        self.expect("text/a.cpp", "#include <CLI/App.hpp>\n", "only cli")

    def test_files_that_are_opened_elsewhere(self):
        for text in ("std::ifstream in(path);\n", "FILE* f = fopen(path, \"r\");\n", "const int n = ::open(path, O_RDONLY);\n", "std::filebuf b;\n", 'int n = open("/x", O_RDONLY);\n'):
            self.expect("base/a.cpp", text, "only base/descriptor.cpp opens files")
        self.assertEqual([], self.found({"base/descriptor.cpp": "int n = ::open(path, 0);\n", "base/a.cpp": "void open(int);\nshape.open(3);\n"}))

    def test_calls_of_linux_elsewhere(self):
        for text in ('fs::path p = "/proc/self/exe";\n', "accept4(a, b, c, 0);\n", "#include <sys/prctl.h>\n", "status.st_mtim.tv_sec;\n"):
            self.expect("base/a.cpp", text, "only base/system/ uses what Linux alone has")
        self.assertEqual([], self.found({"base/system/linux.cpp": "accept4(a, b, c, 0);\n", "base/a.cpp": "// without /proc\naccept(a, b, c);\n"}))

    def test_torch_below_the_tensors(self):
        self.expect("text/a.cpp", "#include <ATen/Tensor.h>\n", "text/a.cpp -> ATen/Tensor.h")

    def test_two_types_of_one_name(self):
        found = self.found({"base/error.h": "struct Shape final : Base {\n};\n", "text/shape.h": "class Shape;\nclass Shape {\n};\n"})
        self.assertEqual(["Shape is defined in src/base/error.h and src/text/shape.h"], found)

    def test_torch_in_settings(self):
        self.expect("nn/layer_config.cpp", "#include <ATen/Tensor.h>\n", "nn/layer_config.cpp -> ATen/Tensor.h")
        self.expect("nn/layer_spec.cpp", '#include "text/codec.h"\n', "nn_config may not include text")

    def test_torch_over_a_header_of_ours(self):
        self.expect("cli/main.cpp", '#include "nn/layer.h"\n', "cli/main.cpp -> nn/layer.h -> torch/types.h")


if __name__ == "__main__":
    unittest.main()
