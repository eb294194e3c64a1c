"""Translates lines by what is no program: a server, a package of Python, a page in a browser. student_targets.py calls it.

    python student_drivers.py TARGET FILE BEAM < TEXT

TARGET: server, python or fxtranslate, with a packed model, or for fxtranslate the folder of `heed export marian`, as FILE; page, with
a page of `heed export page`. A line is one sentence. Each function gets lines and gives their translations.
"""

import http.client
import json
import shutil
import sys
from pathlib import Path

TEXTS = 250  # of a request; heed serve takes 256


def requests(lines, beam):
    """Bodies of POST /translate, also for the module for browsers."""
    for first in range(0, len(lines), TEXTS):
        yield {"texts": lines[first:first + TEXTS], "split": False, "beam": beam}


def server(model, beam, lines):
    from serving import start
    from translation_speed import HEED
    process, port = start([HEED, "serve", model, "--port", "0", "--workers", "1"])
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        for request in requests(lines, beam):
            connection.request("POST", "/translate", json.dumps(request), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                sys.exit(f"heed serve: {answer.status} {body.decode()}")
            yield from (line["translations"][0]["text"] for line in json.loads(body)["lines"])
    finally:
        process.terminate()
        process.wait()


def python(model, beam, lines):
    import heed
    for result in heed.load(model).translate(lines, split=False, workers=1, beam=beam):
        yield result.text


# The page's own engine, which gets a sentence at a time, as from someone who types.
IN_PAGE = """async ([lines, beam]) => {
  const found = [];
  for (const text of lines) {
    const options = { text, split: false, beam };
    for await (const { data } of offline.translate(options, new AbortController().signal)) found.push(data.translations[0].text);
  }
  return found;
}"""


def page(file, beam, lines):
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        # Without the zygote, the browser waits for its processes, so that their time counts.
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--no-zygote", "--disable-gpu"])
        tab = browser.new_context(offline=True).new_page()
        tab.set_default_timeout(0)
        tab.goto(Path(file).resolve().as_uri())
        tab.wait_for_selector("#sources textarea")  # the model is ready
        yield from tab.evaluate(IN_PAGE, [lines, beam])
        browser.close()


def fxtranslate(folder, beam, lines):
    from fxtranslate import Translator
    if beam != 1:
        sys.exit(f"fxtranslate searches greedily; found beam {beam}, expected 1")
    folder = Path(folder)
    model, *others = folder.glob("model*.bin")
    vocabulary = (folder / "vocab.spm").read_bytes()
    lexicon = folder / "lex.s2t.bin"
    translator = Translator(model.read_bytes(), vocabulary, vocabulary, *([lexicon.read_bytes()] if lexicon.exists() else []))
    yield from map(translator.translate, lines)


if __name__ == "__main__":
    name, file, beam = sys.argv[1:]
    translate = {function.__name__: function for function in (server, python, page, fxtranslate)}[name]
    for line in translate(file, int(beam), sys.stdin.read().split("\n")[:-1]):
        print(line)
