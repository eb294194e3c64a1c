"""Writes the test sets of SCAN (Lake and Baroni 2018) that its definition gives: all commands of the grammar whose actions are longer
than 22 (length), and all commands with "jump" beside the command "jump" itself (addprim_jump).

usage: scan_tests.py CORPUS FOLDER      CORPUS: SCAN, with the folders length and addprim_jump (train, val; .in .out)

Each pair of the corpus is compared with the grammar first. FOLDER/SPLIT gets train, val and test (.in .out).
"""

import itertools
import shutil
import sys
from pathlib import Path

PRIMITIVES = {"walk": "I_WALK", "look": "I_LOOK", "run": "I_RUN", "jump": "I_JUMP"}
TURNS = {"left": "I_TURN_LEFT", "right": "I_TURN_RIGHT"}
TIMES = {"": 1, " twice": 2, " thrice": 3}


def verbs():
    """Commands without "twice", "thrice", "and" and "after", with their actions."""
    for verb, action in [*PRIMITIVES.items(), ("turn", None)]:
        own = [action] if action else []
        if action:
            yield verb, own
        for side, turn in TURNS.items():
            yield f"{verb} {side}", [turn, *own]
            yield f"{verb} opposite {side}", [turn, turn, *own]
            yield f"{verb} around {side}", [turn, *own] * 4


def commands():
    single = {words + times: actions * count for words, actions in verbs() for times, count in TIMES.items()}
    yield from single.items()
    for (first, before), (second, after) in itertools.product(single.items(), single.items()):
        yield f"{first} and {second}", before + after
        yield f"{first} after {second}", after + before


def read_pairs(folder, part):
    return list(zip(*((folder / f"{part}.{side}").read_text(encoding="utf-8").splitlines() for side in ("in", "out")), strict=True))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    corpus, folder = Path(sys.argv[1]), Path(sys.argv[2])
    grammar = {command: " ".join(actions) for command, actions in commands()}
    tests = {
        "length": [command for command, actions in grammar.items() if len(actions.split()) > 22],
        "addprim_jump": [command for command in grammar if "jump" in command and command != "jump"],
    }
    for split, test in tests.items():
        known = [pair for part in ("train", "val") for pair in read_pairs(corpus / split, part)]
        for command, actions in known:
            if grammar.get(command) != actions:
                sys.exit(f"{corpus / split}: '{command}' has other actions than the grammar gives")
        if common := set(test) & {command for command, _ in known}:
            sys.exit(f"{corpus / split}: {len(common)} commands of the test are in the training data")
        (folder / split).mkdir(parents=True, exist_ok=True)
        for part, side in itertools.product(("train", "val"), ("in", "out")):
            shutil.copy(corpus / split / f"{part}.{side}", folder / split)
        (folder / split / "test.in").write_text("".join(f"{command}\n" for command in test), encoding="utf-8")
        (folder / split / "test.out").write_text("".join(f"{grammar[command]}\n" for command in test), encoding="utf-8")
        print(f"{split}: {len(known)} pairs of the corpus agree with the grammar; {len(test)} commands in the test")


if __name__ == "__main__":
    main()
