"""Clients that do not know heed: deepl and libretranslatepy of PyPI, with the address of `heed serve`.

`scripts/setup.sh --checks` installs both; skipped without them, unless HEED_CHECKS is set.
"""

import os
import json
import random
import re
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

try:
    import deepl
    import libretranslatepy
except ImportError:
    deepl = None

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
HEED = os.environ.get("HEED_PROGRAM", str(ROOT / "build/release/bin/heed"))
KEY = "secret"
# The model from "English" into "German" writes words in capitals, that from German into "French" reverses lines. What they translate is
# compared with answers to heed's own requests.
WORDS = "one two three four five six seven eight nine ten".split()
CONFIG = """
run: {run}
data: {{train: [{{source: {source}, target: {target}}}], valid: {{source: {source}, target: {target}}}}}
text: {{source: {{type: words}}, target: {{type: words}}}}
model:
  embedding: {{width: 32}}
  encoder: {{type: transformer, layers: 1, width: 32, feed_forward: 64, self_attention: {{score: scaled_dot, heads: 2}}}}
  decoder:
    type: transformer
    layers: 1
    width: 32
    feed_forward: 64
    self_attention: {{score: scaled_dot, heads: 2}}
    attention: {{score: scaled_dot, heads: 2}}
train: {{batch: {{sentences: 32}}, optimizer: {{type: adam, rate: 0.005}}, max_updates: 400}}
"""


def write_texts(folder):
    draws = random.Random(1)
    lines = [draws.choices(WORDS, k=1 + i % 5) for i in range(1500)]
    texts = {
        "plain": [" ".join(line) for line in lines],
        "upper": [" ".join(line).upper() for line in lines],
        "reversed": [" ".join(line[::-1]).upper() for line in lines],
    }
    for name, text in texts.items():
        (folder / name).write_text("".join(line + "\n" for line in text), encoding="utf-8")


class Server:
    def __init__(self, folder, *options):
        self.process = subprocess.Popen([HEED, "serve", "--port", "0", *options], cwd=folder, stderr=subprocess.PIPE, text=True)
        self.log = ""
        while not (found := re.search(r"at (http://127\.0\.0\.1:\d+)/", self.log)):
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError(self.log)
            self.log += line
        self.address = found[1]

    def translated(self, model, text):
        """By a request of heed's own."""
        body = json.dumps({"text": text, "model": model}).encode()
        request = urllib.request.Request(f"{self.address}/translate", body, {"Authorization": f"Bearer {KEY}"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["lines"][0]["translations"][0]["text"]

    def pivoted(self, text):
        return self.translated("de-fr", self.translated("en-de", text))

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=60)


def setUpModule():
    global server, keyed, models
    if deepl is None:
        return
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    models = Path(folder.name)
    write_texts(models)
    (models / "kept").mkdir()
    for run, source, target in (("en-de", "plain", "upper"), ("de-fr", "upper", "reversed")):
        (models / f"{run}.yaml").write_text(CONFIG.format(run=run, source=source, target=target), encoding="utf-8")
        subprocess.run([HEED, "train", f"{run}.yaml"], cwd=models, check=True, capture_output=True)
        subprocess.run([HEED, "pack", run, "-o", f"kept/{run}.heed"], cwd=models, check=True, capture_output=True)
    (models / "tokens").write_text(KEY + "\n")
    (models / "kept" / "es-fr.heed").write_bytes((models / "kept" / "en-de.heed").read_bytes()[:-100])
    server = Server(models, "en-de=en-de", "de-fr=de-fr")
    unittest.addModuleCleanup(server.end)
    keyed = Server(models, "--models", "kept", "--token-file", "tokens")
    unittest.addModuleCleanup(keyed.end)


@unittest.skipIf(deepl is None and "HEED_CHECKS" not in os.environ, "deepl or libretranslatepy is not installed; scripts/setup.sh --checks installs them")
class LibreTranslatePy(unittest.TestCase):
    def test_translates(self):
        client = libretranslatepy.LibreTranslateAPI(server.address)
        self.assertIn("ONE", server.translated("en-de", "one two"))
        self.assertEqual(client.translate("one two three", "en", "de"), server.translated("en-de", "one two three"))
        self.assertEqual(client.translate("ONE TWO", "de", "fr"), server.translated("de-fr", "ONE TWO"))
        self.assertEqual(client.translate("one two four", "en", "fr"), server.pivoted("one two four"))
        self.assertEqual(client.translate("one two\nthree", "auto", "de"), server.translated("en-de", "one two\nthree"))

    def test_lists_and_detects_languages(self):
        client = libretranslatepy.LibreTranslateAPI(server.address)
        self.assertEqual([one["code"] for one in client.languages()], ["de", "en"])
        self.assertEqual(client.detect("This is a sentence in the English language.")[0]["language"], "en")

    def test_learns_of_refusals(self):
        client = libretranslatepy.LibreTranslateAPI(server.address)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            client.translate("one", "en", "it")
        self.assertEqual(refused.exception.code, 400)
        self.assertIn(b'{"error":"\\"it\\" is not supported', refused.exception.read())

    def test_sends_its_key(self):
        for key in (None, "wrong"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                libretranslatepy.LibreTranslateAPI(keyed.address, key).translate("one", "en", "de")
            self.assertEqual(refused.exception.code, 403)
        client = libretranslatepy.LibreTranslateAPI(keyed.address, KEY)
        self.assertEqual(client.translate("one two", "en", "fr"), keyed.pivoted("one two"))
        self.assertEqual(client.detect("This is a sentence in the English language.")[0]["language"], "en")
        # The packed model that was cut is left out.
        self.assertEqual([one["code"] for one in client.languages()], ["de", "en"])
        self.assertIn("es-fr: is left out", keyed.log)


@unittest.skipIf(deepl is None and "HEED_CHECKS" not in os.environ, "deepl or libretranslatepy is not installed; scripts/setup.sh --checks installs them")
class Deepl(unittest.TestCase):
    def client(self, key=KEY):
        return deepl.DeepLClient(key, server_url=keyed.address, send_platform_info=False)

    def test_translates(self):
        client = self.client()
        result = client.translate_text("one two three", source_lang="EN", target_lang="DE")
        self.assertEqual((result.text, result.detected_source_lang, result.billed_characters), (keyed.translated("en-de", "one two three"), "EN", 13))
        results = client.translate_text(["one two", "six"], source_lang="en", target_lang="FR", formality="prefer_less", context="numbers")
        self.assertEqual([one.text for one in results], [keyed.pivoted("one two"), keyed.pivoted("six")])
        result = client.translate_text("one\ntwo", source_lang="EN", target_lang="DE", split_sentences="0")
        self.assertEqual(result.text, keyed.translated("en-de", "one two"))
        result = client.translate_text("one", source_lang="EN", target_lang="DE", model_type="quality_optimized")
        self.assertEqual(result.model_type_used, "quality_optimized")

    def test_lists_languages_and_usage(self):
        client = self.client()
        self.assertEqual([(one.code, one.name) for one in client.get_source_languages()], [("DE", "German"), ("EN", "English")])
        self.assertEqual([one.code for one in client.get_target_languages()], ["DE", "FR"])
        before = client.get_usage().character.count
        client.translate_text("one two", source_lang="EN", target_lang="DE")
        usage = client.get_usage()
        self.assertEqual(usage.character.count, before + 7)
        self.assertFalse(usage.any_limit_reached)

    def test_keeps_glossaries(self):
        client = self.client()
        pairs = {(one.source_lang, one.target_lang) for one in client.get_glossary_languages()}
        self.assertEqual(pairs, {("en", "de"), ("de", "fr")})
        glossary = client.create_glossary("numbers", "EN", "DE", {"two": "SEVEN EIGHT", "nine": "TEN"})
        self.assertEqual((glossary.name, glossary.entry_count, glossary.ready), ("numbers", 2, True))
        self.assertLess(abs(glossary.creation_time.timestamp() - time.time()), 60)
        self.assertEqual(client.get_glossary_entries(glossary), {"two": "SEVEN EIGHT", "nine": "TEN"})
        self.assertEqual([one.glossary_id for one in client.list_glossaries()], [glossary.glossary_id])
        self.assertIn("SEVEN EIGHT", client.translate_text("one two", source_lang="EN", target_lang="DE", glossary=glossary).text)
        plain = client.translate_text("one six", source_lang="EN", target_lang="DE", glossary=glossary)
        self.assertEqual(plain.text, keyed.translated("en-de", "one six"))
        table = client.create_glossary_from_csv("table", "EN", "DE", 'two,"SIX"\n')
        self.assertEqual(client.get_glossary_entries(table), {"two": "SIX"})
        for one in (glossary, table):
            client.delete_glossary(one)
        with self.assertRaises(deepl.GlossaryNotFoundException):
            client.get_glossary(glossary.glossary_id)

    def test_learns_of_refusals(self):
        with self.assertRaises(deepl.AuthorizationException):
            self.client("wrong").translate_text("one", target_lang="DE")
        for fields, message in (
            ({"target_lang": "IT"}, 'value "IT" is not supported'),
            ({"target_lang": "DE", "formality": "more"}, "formality"),
            ({"target_lang": "DE", "source_lang": "EN", "style_rule": "x"}, "style_id"),
        ):
            with self.assertRaisesRegex(deepl.DeepLException, re.escape(message)):
                self.client().translate_text("one", **fields)


if __name__ == "__main__":
    unittest.main()
