"""The processor that a benchmark runs on, for the head of its table."""

from pathlib import Path


def processor():
    fields = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    return f"{fields.get('model name', 'unknown processor')} (family {fields.get('cpu family')}, model {fields.get('model')})"
