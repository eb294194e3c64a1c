"""A page of `heed export page` in headless Chromium, opened from a folder without a network, and its module in node.

Needs what page_test.py needs, node, and the module that scripts/wasm.sh builds; skipped without them. HEED_SCREENSHOTS names a
folder for pictures.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

ROOT = Path(os.environ.get("HEED_SOURCE", Path(__file__).parents[2]))
HEED = os.environ.get("HEED_PROGRAM", str(ROOT / "build/release/bin/heed"))
MODULE = ROOT / "build/wasm/browser"
MISSING = "the module for browsers (scripts/wasm.sh builds it)" if not (MODULE / "heed.wasm.gz").exists() else ""
CHROMIUM = shutil.which("chromium")
NODE = shutil.which("node")
DATA = ROOT / "data/demo"
CONFIG = f"""
run: toy
data: {{train: [{{source: {DATA}/train.en, target: {DATA}/train.de}}], valid: {{source: {DATA}/valid.en, target: {DATA}/valid.de}}}}
text: {{source: {{type: sentencepiece, size: 400}}, target: {{share: source}}}}
model:
  embedding: {{width: 32}}
  encoder: {{type: rnn, cell: gru, width: 64}}
  decoder: {{type: rnn, cell: gru, width: 64, attention: {{score: {{type: additive, hidden: 64}}}}}}
train: {{batch: {{sentences: 64}}, optimizer: {{type: adam, rate: 0.005}}, max_updates: 400}}
"""
# Lines of the test set, in node: each is sent as one text.
TRANSLATE = """
const fs = require("fs");
const [module, wasm, model, lines] = process.argv.slice(1);
const { Engine } = require(module + "/heed-worker.js");
(async () => {
  const engine = await Engine.create(fs.readFileSync(module + "/" + wasm));
  engine.open(new Uint8Array(fs.readFileSync(model)), "toy");
  const texts = fs.readFileSync(lines, "utf8").trimEnd().split("\\n");
  for (const line of engine.translate({ texts, split: false }).lines) console.log(JSON.stringify(line.translations[0]));
  for (const wrong of [{ text: "a", bem: 3 }, { text: "a\\u0000b" }, {}]) {
    try { engine.translate(wrong); } catch (error) { console.log(JSON.stringify(error.message)); }
  }
  for (const bytes of [new Uint8Array(20), fs.readFileSync(model).subarray(0, 5000)]) {
    try { engine.open(new Uint8Array(bytes), "wrong"); } catch (error) { console.log(JSON.stringify(error.message)); }
  }
})();
"""


def node_with_relaxed_simd():
    """The command, for node 20 with an option; or None."""
    can = f"{(MODULE / 'heed.js').read_text()}; process.exit(Heed.canFuse() ? 0 : 1)"
    for command in ([NODE], [NODE, "--experimental-wasm-relaxed-simd"]):
        if subprocess.run([*command, "-e", can], capture_output=True).returncode == 0:
            return command
    return None


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


@unittest.skipIf(MISSING, f"there is not {MISSING}")
class OfflinePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        (cls.folder / "toy.yaml").write_text(CONFIG)
        run(HEED, "train", "toy.yaml", cwd=cls.folder)
        run(HEED, "pack", "toy", "-o", "toy.heed", cwd=cls.folder)
        run(HEED, "export", "page", "toy.heed", "-o", "toy.html", "--module", str(MODULE), cwd=cls.folder)

    def translated(self, lines, *options):
        return run(HEED, "translate", "toy.heed", "--format", "json", *options, cwd=self.folder, input="".join(line + "\n" for line in lines)).stdout

    # Translations of 200 lines, and messages, by node.
    def by_module(self, wasm, *node):
        lines = (DATA / "test.en").read_text(encoding="utf-8").splitlines()[:200]
        (self.folder / "lines").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        answers = run(*node, "-e", TRANSLATE, str(MODULE), wasm, "toy.heed", "lines", cwd=self.folder).stdout.splitlines()
        expected = [json.loads(line)["translations"][0] for line in self.translated(lines).splitlines()]
        self.assertGreater(len({one["text"] for one in expected}), 100)
        return expected, [json.loads(line) for line in answers]

    @unittest.skipUnless(NODE, "there is no node")
    def test_the_module_finds_the_text_and_the_scores_of_the_program(self):
        node = node_with_relaxed_simd()
        if node is None:
            self.skipTest("this node has no relaxed SIMD")
        expected, found = self.by_module("heed.wasm", *node)
        for one, other in zip(expected, found):
            self.assertEqual((one["text"], one["score"], one["tokens"]), (other["text"], other["score"], other["tokens"]))

    @unittest.skipUnless(NODE, "there is no node")
    def test_the_module_without_relaxed_instructions_finds_the_text_of_the_program(self):
        expected, found = self.by_module("heed-plain.wasm", NODE)
        self.assertEqual([one["text"] for one in expected], [one["text"] for one in found[:200]])
        for one, other in zip(expected, found):
            self.assertAlmostEqual(one["score"], other["score"], delta=0.02)  # a step of a byte, now and then
        self.assertEqual(5, len(found[200:]))
        for message, part in zip(found[200:], ("did you mean 'beam'", "zero byte", "expected either text", "is not a packed model", "copy it again")):
            self.assertIn(part, message)

    def open(self, playwright, **options):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(offline=True, **options).new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.fail(str(error)))
        page.on("request", lambda request: self.assertTrue(request.url.startswith(("file:", "blob:", "data:"))))
        page.goto((self.folder / "toy.html").as_uri())
        return page

    def translate(self, page, text):
        page.get_by_label("Source text").fill(text)
        page.get_by_text("translated in").wait_for()

    def show(self, page, name):
        if "HEED_SCREENSHOTS" in os.environ:
            page.screenshot(path=Path(os.environ["HEED_SCREENSHOTS"]) / f"offline-{name}.png", full_page=True)

    @unittest.skipUnless(sync_playwright and CHROMIUM, "there is no playwright, or no chromium")
    def test_translates_from_a_folder_without_a_network(self):
        text = "The small dog sleeps in the kitchen."
        expected = json.loads(self.translated([text], "--nbest", "3"))["translations"]
        looks = {
            "light": {"color_scheme": "light"},
            "dark": {"color_scheme": "dark"},
            "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
        }
        with sync_playwright() as playwright:
            for name, look in looks.items():
                page = self.open(playwright, **look)
                self.translate(page, text)
                self.assertEqual(expected[0]["text"], page.text_content("#translation"))
                shown = page.locator("#nbest-list button").all_text_contents()
                self.assertEqual([one["text"] for one in expected], [one.rsplit(" ", 1)[0] for one in shown])
                page.hover("#rows span:nth-child(1)")
                self.assertRegex(page.text_content("#cell"), "row 1 “.*” → column . “.*”: [01]\\.\\d+")
                self.assertTrue(page.get_by_role("button", name="Layers and heads").is_hidden())
                page.get_by_text("About this model").click()
                self.assertIn("toy", page.text_content("#card"))
                width = page.viewport_size["width"]
                self.assertLessEqual(page.locator("body").bounding_box()["width"], width)
                self.show(page, name)


if __name__ == "__main__":
    unittest.main()
