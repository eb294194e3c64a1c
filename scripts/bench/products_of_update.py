"""How many operations the matrix products of an update take, and how many a second the processor reaches: what
training_speed.py divides to get the share of the peak."""

import json
import math
import struct
import subprocess


def matrices(file):
    """Name and number of elements of each matrix in a safetensors file; those of the gates of a recurrent cell are one."""
    with open(file, "rb") as tensors:
        (size,) = struct.unpack("<Q", tensors.read(8))
        header = json.loads(tensors.read(size))
    return {name: math.prod(tensor["shape"]) for name, tensor in header.items() if len(tensor.get("shape", [])) >= 2}


def operations_of_update(file, source_tokens, target_tokens):
    """Additions and multiplications of the products with the matrices of a model: y = Wx, the gradient of x and that of W.
    Left out are the products of attention weights and keys, a few percent, those once a sentence, and padding."""
    weights = matrices(file)
    # True if the output layer shares its matrix with the embedding, possibly after a projection.
    tied = not any(name.startswith("output.") and "to_embedding" not in name for name in weights)
    total = 0
    for name, elements in weights.items():
        if ("embedding" in name and not tied) or ".bridge" in name:
            continue
        cross = "self_attention" not in name and (".score.key." in name or ".read.value." in name)
        total += elements * (source_tokens if name.startswith("encoder") or cross else target_tokens)
    return 3 * 2 * total


PEAK = """
import sys, time, torch
torch.set_num_threads(1)
x, w = (torch.randn(2048, 2048).to(getattr(torch, sys.argv[1])) for _ in range(2))
def seconds():
    begin = time.perf_counter()
    x @ w
    return time.perf_counter() - begin
seconds()
print(2 * 2048 ** 3 / min(seconds() for _ in range(40)) / 1e9)
"""


def peak(python, cores, precision):
    """GFLOP/s of large products by PyTorch in this precision, a process on each core; what the update is measured by."""
    processes = [subprocess.Popen([python, "-c", PEAK, {"fp32": "float32", "bf16": "bfloat16"}[precision]],
                                  stdout=subprocess.PIPE, text=True) for _ in range(cores)]
    return sum(float(process.communicate()[0]) for process in processes)
