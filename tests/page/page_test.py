"""The web page of `heed serve` in headless Chromium, as a user sees it.

Needs the package `playwright` of PyPI and Chromium (Debian: chromium); skipped without them. HEED_SCREENSHOTS names a folder
for a picture of each step.
"""

import os
import re
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
CHROMIUM = shutil.which("chromium")
CONFIG = """
run: run
data: {train: [{source: text, target: text}], valid: {source: text, target: text}}
text: {source: {type: words}, target: {share: source}}
model:
  embedding: {width: 32}
  encoder: {type: transformer, layers: 1, width: 32, feed_forward: 64, self_attention: {score: scaled_dot, heads: 2}}
  decoder:
    type: transformer
    layers: 2
    width: 32
    feed_forward: 64
    self_attention: {score: scaled_dot, heads: 2}
    attention: {score: scaled_dot, heads: 2}
train: {batch: {sentences: 32}, optimizer: {type: adam, rate: 0.005}, max_updates: 300}
"""


@unittest.skipIf(sync_playwright is None, "the package playwright is not installed")
@unittest.skipIf(CHROMIUM is None, "chromium is not installed")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = Path(cls.folder.name)
        letters = "a b c d e f g h".split()
        lines = [" ".join(letters[(i * k) % 8] for k in range(1, 2 + i % 6)) for i in range(1, 400)]
        (folder / "text").write_text("\n".join(lines) + "\n")
        (folder / "tokens").write_text("secret\n")
        (folder / "config.yaml").write_text(CONFIG)
        subprocess.run([HEED, "train", "config.yaml"], cwd=folder, check=True, capture_output=True)
        cls.address = cls.start("toy=run")
        cls.guarded = cls.start("toy=run", "--token-file", "tokens")
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def start(cls, *options):
        server = subprocess.Popen([HEED, "serve", *options, "--port", "0"], cwd=cls.folder.name, stderr=subprocess.PIPE,
                                  text=True)
        cls.addClassCleanup(server.stderr.close)
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        for line in server.stderr:
            found = re.search(r"http://\S+/", line)
            if found:
                return found.group(0)
        raise AssertionError("the server did not start")

    def expected(self, text):
        return subprocess.run([HEED, "translate", "run"], cwd=self.folder.name, input=text + "\n", check=True,
                              capture_output=True, text=True).stdout.strip()

    def open(self, address, scheme="light"):
        context = self.browser.new_context(color_scheme=scheme)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(20_000)
        self.faults = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self.assertTrue(request.url.startswith((address, "data:"))))
        page.goto(address)
        return page

    def translate(self, page, text):
        page.get_by_label("Source text").fill(text)
        page.wait_for_function("() => document.querySelector('#state').textContent.startsWith('translated')")

    def show(self, page, name):
        if "HEED_SCREENSHOTS" in os.environ:
            page.screenshot(path=Path(os.environ["HEED_SCREENSHOTS"]) / f"{name}.png")

    def test_translates_while_one_types_and_draws_the_attention(self):
        for scheme in ("light", "dark"):
            page = self.open(self.address, scheme)
            self.translate(page, "a b c d")
            self.assertEqual(self.expected("a b c d"), page.text_content("#translation"))
            self.assertEqual(3, page.locator("#nbest-list li").count())
            self.show(page, f"translated-{scheme}")
            page.hover("#rows span:nth-child(2)")
            self.assertRegex(page.text_content("#cell"), "row 2 “.” → column . “.*”: [01]\\.\\d+ .rows: target tokens, columns: source tokens")
            page.focus("#picture")
            page.keyboard.press("ArrowDown")
            self.assertIn("row 3 “", page.text_content("#cell"))
            self.assertEqual(scheme, page.get_attribute("html", "data-theme"))
            self.assertEqual([], self.faults)

    def test_shows_every_layer_and_head(self):
        page = self.open(self.address)
        self.translate(page, "a b c")
        page.get_by_role("button", name="Layers and heads").click()
        page.wait_for_function("() => document.querySelectorAll('#map option').length > 1")
        names = page.locator("#map option").all_text_contents()
        # Encoder, and self-attention and attention of two layers: the mean and two heads of each.
        self.assertEqual(5 * 3, len(names))
        page.select_option("#map", label=next(name for name in names if "decoder layer 2" in name and "head 2" in name))
        page.hover("#rows span:nth-child(1)")
        self.assertRegex(page.text_content("#cell"), "row 1 .*: [01]\\.\\d+")
        self.show(page, "maps")
        self.assertEqual([], self.faults)

    def test_continues_a_prefix(self):
        page = self.open(self.address)
        self.translate(page, "a b c d")
        page.click("#translation .word:nth-of-type(2)")
        self.assertEqual(" ".join(self.expected("a b c d").split()[:2]), page.input_value("#prefix"))
        page.fill("#prefix", "h h")
        page.wait_for_function("() => document.querySelector('#translation').textContent.startsWith('h h')")
        self.show(page, "prefix")
        page.get_by_role("button", name="Remove").click()
        expected = self.expected("a b c d")
        page.wait_for_function(f"() => document.querySelector('#translation').textContent === '{expected}'")
        self.assertEqual([], self.faults)

    def test_asks_for_a_token(self):
        page = self.open(self.guarded)
        page.get_by_label("This server needs a token").fill("secret")
        self.show(page, "token")
        page.get_by_role("button", name="Use it").click()
        self.translate(page, "a b")
        self.assertEqual(self.expected("a b"), page.text_content("#translation"))


if __name__ == "__main__":
    unittest.main()
