"""The web page of `heed serve` in headless Chromium, as a user sees it.

Needs the package `playwright` of PyPI and Chromium (Debian: chromium), which `scripts/setup.sh --checks` installs; skipped without
them, unless HEED_CHECKS is set. HEED_SCREENSHOTS names a folder for a picture of each step.
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
MISSING = "the package playwright" if sync_playwright is None else "" if CHROMIUM else "chromium"
# The models copy their source; "pairs" has it reversed as a second source, "tagged" copies or reverses it by the tag.
ENCODER = "{type: transformer, layers: 1, width: 32, feed_forward: 64, self_attention: {score: scaled_dot, heads: 2}}"
DECODER = """
  decoder:
    type: transformer
    layers: 2
    width: 32
    feed_forward: 64
    self_attention: {score: scaled_dot, heads: 2}
"""
TRAIN = "train: {batch: {sentences: 32}, optimizer: {type: adam, rate: 0.005}, max_updates: 300}\n"
CONFIGS = {
    "copy": f"""
run: copy
data: {{train: [{{source: text, target: text}}], valid: {{source: text, target: text}}}}
text: {{source: {{type: words}}, target: {{share: source}}}}
model:
  embedding: {{width: 32}}
  encoder: {ENCODER}{DECODER}    attention: {{score: scaled_dot, heads: 2}}
{TRAIN}""",
    "pairs": f"""
run: pairs
data: {{train: [{{source: {{first: text, second: reversed}}, target: text}}], valid: {{source: {{first: text, second: reversed}}, target: text}}}}
text: {{first: {{type: words}}, second: {{share: first}}, target: {{share: first}}}}
model:
  embedding: {{width: 32}}
  encoders: {{first: {ENCODER}, second: {ENCODER}}}{DECODER}    attention: {{type: multi_source, combine: serial, attention: {{score: scaled_dot, heads: 2}}}}
{TRAIN}""",
    "tagged": f"""
run: tagged
data:
  train: [{{source: text, target: text, tag: copied}}, {{source: text, target: reversed, tag: reversed}}]
  valid: [{{source: text, target: text, tag: copied}}, {{source: text, target: reversed, tag: reversed}}]
text: {{source: {{type: words}}, target: {{share: source}}}}
model:
  embedding: {{width: 32}}
  encoder: {ENCODER}{DECODER}    attention: {{score: scaled_dot, heads: 2}}
{TRAIN}""",
    "languages": f"""
run: languages
data:
  train: [{{source: text.en, target: text.de, tag: fr}}, {{source: text.en, target: text.de, tag: cs}}]
  valid: [{{source: text.en, target: text.de, tag: fr}}]
text: {{source: {{type: words}}, target: {{share: source}}}}
model:
  embedding: {{width: 32}}
  encoder: {ENCODER}{DECODER}    attention: {{score: scaled_dot, heads: 2}}
{TRAIN}""",
}


@unittest.skipIf(MISSING and "HEED_CHECKS" not in os.environ, f"{MISSING} is not installed; scripts/setup.sh --checks installs it")
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
        (folder / "reversed").write_text("\n".join(" ".join(line.split()[::-1]) for line in lines) + "\n")
        for ending in ("en", "de"):
            (folder / f"text.{ending}").write_text((folder / "text").read_text())
        for name, config in CONFIGS.items():
            (folder / f"{name}.yaml").write_text(config)
            subprocess.run([HEED, "train", f"{name}.yaml"], cwd=folder, check=True, capture_output=True)
        cls.address = cls.start("copy", "pairs", "tagged", "languages")
        cls.guarded = cls.start("copy", "--token-file", "tokens")
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

    def expected(self, text, model="copy", options=()):
        return subprocess.run([HEED, "translate", model, *options], cwd=self.folder.name, input=text + "\n", check=True,
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

    def translate(self, page, text, area=None):
        page.evaluate("() => { document.querySelector('#state').textContent = ''; }")
        (area or page.get_by_label("Source text")).fill(text)
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
            self.assertEqual("", page.text_content("#warnings"))
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

    def test_translates_every_pasted_line(self):
        page = self.open(self.address)
        self.translate(page, "a b c\n\nd e\n")
        lines = [self.expected(line) for line in ("a b c", "d e")]
        self.assertEqual("\n\n".join(lines), page.text_content("#translation"))
        shown = page.locator("#nbest-list button").first.inner_text()
        self.assertTrue(shown.startswith("\n\n".join(lines)), shown)
        self.assertTrue(page.get_by_role("button", name="Layers and heads").is_hidden())
        self.assertTrue(page.get_by_text("Layers and heads are shown for one sentence.").is_visible())
        words = [word for line in lines for word in line.split()]
        page.locator("#translation .word").nth(len(words) - 2).click()
        self.assertEqual("\n\n".join(lines).rsplit(" ", 1)[0], page.input_value("#prefix"))
        page.wait_for_function("() => document.querySelectorAll('.word.kept').length > 3")
        self.assertEqual("\n\n".join(lines), page.text_content("#translation"))
        self.show(page, "lines")
        page.select_option("#model", "pairs")
        page.locator("#sources textarea").nth(0).fill("a b\nc")
        self.translate(page, "c b a", page.locator("#sources textarea").nth(1))
        page.get_by_text("Line breaks are read as spaces").wait_for()
        self.assertEqual([], self.faults)

    def test_shows_the_warnings_of_a_text(self):
        page = self.open(self.address)
        self.translate(page, "a b ☃")
        page.get_by_text("words or characters that the model does not know").wait_for()
        self.show(page, "warnings")
        self.translate(page, "a b")
        page.wait_for_function("() => !document.querySelector('#warnings').textContent")
        self.assertEqual([], self.faults)

    def test_copies_the_translation(self):
        page = self.open(self.address)
        self.assertTrue(page.get_by_role("button", name="Copy").is_disabled())
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.translate(page, "a b c d")
        page.get_by_role("button", name="Copy").click()
        page.wait_for_function("() => document.querySelector('#state').textContent === 'copied'")
        self.assertEqual(self.expected("a b c d"), page.evaluate("() => navigator.clipboard.readText()"))
        self.assertEqual([], self.faults)

    def test_names_languages_and_has_an_example(self):
        page = self.open(self.address)
        self.assertTrue(page.get_by_role("button", name="Example").is_hidden())
        page.select_option("#model", "languages")
        self.assertEqual("Source: English", page.get_by_role("heading", name="Source").text_content())
        self.assertEqual("Translation: German", page.get_by_role("heading", name="Translation").text_content())
        self.assertEqual(["Czech", "French"], page.locator("#tag option").all_text_contents())
        page.get_by_role("button", name="Example").click()
        self.assertIn("Where is his dog?", page.get_by_label("Source text").input_value())
        page.wait_for_function("() => document.querySelector('#state').textContent.startsWith('translated')")
        self.show(page, "languages")
        self.assertEqual([], self.faults)

    def test_fits_a_telephone(self):
        page = self.open(self.address)
        page.set_viewport_size({"width": 400, "height": 800})
        for model, text in (("copy", "a b c d e f g h " * 4), ("languages", "☃" * 120)):
            page.select_option("#model", model)
            self.translate(page, text)
            page.click("#translation .word:nth-of-type(1)")
            page.wait_for_function("() => document.querySelector('#state').textContent.startsWith('translated')")
            self.show(page, f"telephone-{model}")
            self.assertLessEqual(page.evaluate("() => document.documentElement.scrollWidth"), 400)
            page.get_by_role("button", name="Remove").click()
        self.assertEqual([], self.faults)

    def test_keeps_tokens_whole_on_a_telephone(self):
        page = self.open(self.address)
        page.set_viewport_size({"width": 400, "height": 800})
        self.translate(page, "schoolhouse " * 12)
        tokens = page.locator("#columns span")
        self.assertEqual(13, tokens.count())
        boxes = tokens.evaluate_all("(all) => all.map((token) => [token.getClientRects().length, token.offsetHeight, token.offsetTop])")
        self.assertEqual({1}, {parts for parts, _, _ in boxes})
        self.assertEqual(1, len({height for _, height, _ in boxes}), "no token has two lines")
        self.assertGreater(len({top for _, _, top in boxes}), 1, "the tokens have several lines")
        self.show(page, "telephone-tokens")
        self.assertEqual([], self.faults)

    def test_has_a_field_for_each_source(self):
        page = self.open(self.address)
        page.select_option("#model", "pairs")
        self.assertEqual(2, page.locator("#sources textarea").count())
        page.locator("#sources textarea").nth(0).fill("a b c")
        self.translate(page, "c b a", page.locator("#sources textarea").nth(1))
        for name, text in (("first", "a b c"), ("second", "c b a")):
            (Path(self.folder.name) / name).write_text(text + "\n")
        self.assertEqual(self.expected("", "pairs", ["-i", "first=first", "-i", "second=second"]), page.text_content("#translation"))
        page.get_by_role("button", name="Layers and heads").click()
        page.wait_for_function("() => document.querySelectorAll('#map option').length > 1")
        names = page.locator("#map option").all_text_contents()
        for source in ("first", "second"):
            self.assertTrue(any(source in name and "decoder layer 2" in name for name in names), names)
        self.show(page, "sources")
        self.assertEqual([], self.faults)

    def test_translates_by_the_tag_that_is_chosen(self):
        page = self.open(self.address)
        self.assertTrue(page.locator("#tag-label").is_hidden())
        page.select_option("#model", "tagged")
        self.translate(page, "a b c d")
        texts = {tag: self.expected("a b c d", "tagged", ["--tag", tag]) for tag in ("copied", "reversed")}
        self.assertNotEqual(texts["copied"], texts["reversed"])
        for tag in ("reversed", "copied"):
            page.select_option("#tag", tag)
            page.wait_for_function(f"() => document.querySelector('#translation').textContent === '{texts[tag]}'")
        self.show(page, "tags")
        page.select_option("#model", "copy")
        self.assertTrue(page.locator("#tag-label").is_hidden())
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
