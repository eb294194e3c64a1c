#!/usr/bin/env python3
"""Throughput and latency of `heed serve` beside CTranslate2 behind a small server, with the same weights.

The peer is Python's ThreadingHTTPServer, which cuts a text into pieces and calls CTranslate2 with two decoding threads; it has
the API of heed. Clients send one line after another; the two servers take turns, and one client program drives both, on the same
machine. Printed are lines per second and milliseconds of a request: median and 99 %.

    scripts/bench/peers.sh PEER
    scripts/bench/serving.py --peer PEER --run runs/multi30k-transformer --source test_2016_flickr.en [--clients 1 8 64] [--rounds 3]
        [--beam 5] [--precision fp32]
"""

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEED = ROOT / "build/release/bin/heed"

PEER_SERVER = """
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import ctranslate2, sentencepiece
folder, compute, beam = sys.argv[1:]
model = ctranslate2.Translator(folder, inter_threads=2, intra_threads=1, compute_type=compute)
text = sentencepiece.SentencePieceProcessor(model_file=folder + "/source.spm")
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # head and body in one packet: else every answer waits 40 ms for the client's system
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found = model.translate_batch([text.encode(body["text"], out_type=str)], beam_size=int(beam))
        answer = json.dumps({"text": text.decode(found[0].hypotheses[0])}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *unused):
        pass
class Server(ThreadingHTTPServer):
    request_queue_size = 256
server = Server(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
"""


def start(command):
    """The process and its port, once it says its address."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if found:
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return process, int(found.group(1))
    sys.exit(f"{command[0]} did not start")


def drive(port, lines, clients, seconds, beam):
    """Latencies in ms of all requests that `clients` connections send within the time."""
    latencies, lock = [], threading.Lock()
    end = time.monotonic() + seconds

    def client(number):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        own, position = [], number * 37
        while time.monotonic() < end:
            body = json.dumps({"text": lines[position % len(lines)], "beam": beam})
            begun = time.perf_counter()
            connection.request("POST", "/translate", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                sys.exit(f"status {answer.status}")
            own.append(1000 * (time.perf_counter() - begun))
            position += 1
        with lock:
            latencies.extend(own)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(latencies) / (time.monotonic() - begun), sorted(latencies)


def memory(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+)", status).group(1)) // 1000


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, required=True, help="virtual environment of peers.sh")
    options.add_argument("--run", type=Path, required=True, help="a run of configs/multi30k-transformer.yaml")
    options.add_argument("--source", type=Path, required=True, help="lines that the clients send")
    options.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64])
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=float, default=8, help="of each measurement")
    options.add_argument("--beam", type=int, default=5)
    options.add_argument("--precision", default="fp32", choices=["fp32", "int8"])
    given = options.parse_args()
    lines = given.source.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([HEED, "export", "ctranslate2", given.run, f"{folder}/model"], check=True, capture_output=True)
        compute = {"fp32": "float32", "int8": "int8"}[given.precision]
        servers = {
            "heed": start([HEED, "serve", given.run, "--port", "0", "--workers", "2", "--precision", given.precision]),
            "CTranslate2": start([given.peer / "bin/python", "-c", PEER_SERVER, f"{folder}/model", compute,
                                  str(given.beam)]),
        }
        for clients in given.clients:
            rates = {name: [] for name in servers}
            for _ in range(given.rounds):
                for name, (process, port) in servers.items():
                    rate, latencies = drive(port, lines, clients, given.seconds, given.beam)
                    rates[name].append((rate, statistics.median(latencies), latencies[int(0.99 * len(latencies))]))
            for name, (process, port) in servers.items():
                rate, median, slow = (statistics.median(column) for column in zip(*rates[name]))
                print(f"{given.precision} beam {given.beam}  {clients:3} clients  {name:12} {rate:8.1f} lines/s  "
                      f"median {median:7.1f} ms  99 % {slow:7.1f} ms  {memory(process):5} MB", flush=True)
        for process, _ in servers.values():
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
