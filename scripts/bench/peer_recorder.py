"""Plugin of pytest that writes every call of a peer's library in its own tests, with the result, as a line of JSON.

peer_suites.sh runs the tests of sacreBLEU, jiwer, rouge-score, SentencePiece and CTranslate2 with it; peer_suites.py repeats the
calls with heed. The environment variable PEER_CALLS names the file.
"""

import functools
import hashlib
import importlib.util
import json
import os

CALLS = open(os.environ["PEER_CALLS"], "a", encoding="utf-8")
current_test = ""


def pytest_runtest_setup(item):
    global current_test
    current_test = item.nodeid


def write(kind, **facts):
    """Text that is no Unicode cannot stand in a file of text: such a call is written without its facts."""
    try:
        line = json.dumps({"test": current_test, "kind": kind, **facts}, ensure_ascii=False)
        line.encode("utf-8")
    except (TypeError, UnicodeEncodeError) as error:
        line = json.dumps({"test": current_test, "kind": kind, "unwritable": str(error)})
    CALLS.write(line + "\n")
    CALLS.flush()


def wrap(owner, name, record):
    """Calls record(result, *arguments) after each call that succeeds. Calls inside of others are written too."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapped(*arguments, **named):
        result = original(*arguments, **named)
        record(result, *arguments, **named)
        return result

    setattr(owner, name, wrapped)


# ---- sacreBLEU


def record_sacrebleu():
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.significance import PairedTest

    names = {
        BLEU: ("lowercase", "smooth_method", "smooth_value", "max_ngram_order", "effective_order", "tokenizer_signature"),
        CHRF: ("lowercase", "char_order", "word_order", "beta", "whitespace", "eps_smoothing"),
        TER: ("no_punct", "normalized", "asian_support", "case_sensitive"),
    }

    def options(metric):
        return {name: getattr(metric, name) for name in names[type(metric)]}

    def corpus(score, metric, hypotheses, references, n_bootstrap=1):
        references = references or metric.given_references
        interval = [score._mean, score._ci] if n_bootstrap > 1 else None
        write("corpus", metric=type(metric).__name__, options=options(metric), hypotheses=list(hypotheses),
              references=[list(stream) for stream in references], score=score.score, samples=n_bootstrap, interval=interval)

    def sentence(score, metric, hypothesis, references):
        write("sentence", metric=type(metric).__name__, options=options(metric), hypotheses=[hypothesis],
              references=[[reference] for reference in references], score=score.score)

    # A metric may have been given the references when it was made.
    def made(_, metric, *__, references=None, **___):
        metric.given_references = references

    for kind in names:
        wrap(kind, "__init__", made)
        wrap(kind, "corpus_score", corpus)
        wrap(kind, "sentence_score", sentence)

    def significance(result, test):
        write("significance", test_type=test.test_type, samples=test.n_samples, seed=test._seed,
              systems=[lines for _, lines in test.named_lines], references=[list(stream) for stream in test.given_references],
              metrics={name: [type(metric).__name__, options(metric)] for name, metric in test.given_metrics.items()},
              scores={name: [[one.score, one.p_value] for one in row] for name, row in result[1].items() if name != "System"})

    original = PairedTest.__init__

    @functools.wraps(original)
    def begin(test, named_systems, metrics, references, *rest, **named):
        test.named_lines = [(name, list(lines)) for name, lines in named_systems]
        test.given_metrics = metrics
        test.given_references = references or next(iter(metrics.values())).given_references
        original(test, named_systems, metrics, references, *rest, **named)

    PairedTest.__init__ = begin
    wrap(PairedTest, "__call__", significance)


# ---- jiwer


def record_jiwer():
    import jiwer
    import jiwer.measures
    import jiwer.process

    def words(output, *_, **__):
        counts = [output.substitutions, output.deletions, output.insertions]
        write("words", references=output.references, hypotheses=output.hypotheses, rate=output.wer, edits=sum(counts))

    def characters(output, *_, **__):
        counts = [output.substitutions, output.deletions, output.insertions]
        write("characters", references=output.references, hypotheses=output.hypotheses, rate=output.cer, edits=sum(counts))

    for name, record in (("process_words", words), ("process_characters", characters)):
        wrap(jiwer.process, name, record)
        for module in (jiwer, jiwer.measures):
            setattr(module, name, getattr(jiwer.process, name))


# ---- rouge-score


def record_rouge():
    from rouge_score import rouge_scorer, tokenizers

    def score(result, scorer, target, prediction):
        own = scorer._tokenizer
        stem = isinstance(own, tokenizers.DefaultTokenizer) and own._stemmer is not None
        if not isinstance(own, tokenizers.DefaultTokenizer) or scorer._split_summaries:
            return write("rouge", unwritable="another tokenizer, or sentences split by NLTK")
        write("rouge", target=target, prediction=prediction, stem=stem, scores={name: list(value) for name, value in result.items()})

    wrap(rouge_scorer.RougeScorer, "score", score)


# ---- SentencePiece


def record_sentencepiece():
    import sentencepiece

    folder = os.environ["PEER_MODELS"]

    def model_of(processor):
        data = processor.serialized_model_proto()
        path = os.path.join(folder, hashlib.sha256(data).hexdigest()[:16] + ".model")
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(data)
        return path

    kinds = {str: "str", int: "int"}

    def kind_of(processor, out_type, others):
        """The kind of result that a call asks for, and the names of its other options."""
        wanted = others.pop("return_type", None) or out_type or getattr(processor, "_out_type", int)
        given = {name for name, value in others.items() if value}
        own = {name for name in ("add_bos", "add_eos", "reverse", "emit_unk_piece", "enable_sampling") if getattr(processor, "_" + name, False)}
        return kinds.get(wanted, wanted), sorted(given | own)

    def encode(_, processor, input, out_type=None, **others):
        kind, options = kind_of(processor, out_type, others)
        if kind not in ("str", "int") or options:
            return write("encode", unwritable=f"with {', '.join(options) or kind}")
        texts = [input] if isinstance(input, str) else input
        if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
            return write("encode", unwritable="bytes")
        # heed numbers its tokens otherwise, so pieces are compared.
        rows = [encode_alone(processor, text, out_type=str) for text in texts]
        write("encode", model=model_of(processor), texts=list(texts), rows=rows)

    def decode(result, processor, input, out_type=None, **others):
        kind, options = kind_of(processor, out_type or str, others)
        if kind != "str" or options:
            return write("decode", unwritable=f"with {', '.join(options) or kind}")
        many = isinstance(input, (list, tuple)) and input and isinstance(input[0], (list, tuple))
        rows, texts = (input, result) if many else ([input], [result])
        for row, text in zip(rows, texts):
            if not isinstance(row, (list, tuple)) or not isinstance(text, str):
                write("decode", unwritable="no list of pieces or ids")
                continue
            pieces = [processor.id_to_piece(one) if isinstance(one, int) else one for one in row]
            if processor.id_to_piece(processor.unk_id()) in pieces:
                write("decode", unwritable="the unknown piece, which heed writes as <unk>")
                continue
            write("decode", model=model_of(processor), pieces=pieces, text=text)

    encode_alone = sentencepiece.SentencePieceProcessor.Encode
    wrap(sentencepiece.SentencePieceProcessor, "Encode", encode)
    wrap(sentencepiece.SentencePieceProcessor, "Decode", decode)
    for long, short in (("Encode", "encode"), ("Decode", "decode")):
        setattr(sentencepiece.SentencePieceProcessor, short, getattr(sentencepiece.SentencePieceProcessor, long))


# ---- CTranslate2


def record_ctranslate2():
    """The classes are compiled, so a class of Python stands in their place."""
    import ctranslate2

    original = ctranslate2.Translator

    class Translator:
        def __init__(self, model_path, *arguments, **named):
            self._folder = os.fspath(model_path)
            self._named = {name: str(value) for name, value in named.items()}
            self._own = original(model_path, *arguments, **named)

        def __getattr__(self, name):
            return getattr(self._own, name)

        def translate_batch(self, source, target_prefix=None, **options):
            results = self._own.translate_batch(source, target_prefix, **options)
            rows = [one.result() if hasattr(one, "result") else one for one in results]
            shown = [{"hypotheses": row.hypotheses, "scores": list(row.scores)} for row in rows]
            plain = {name: value for name, value in options.items() if not callable(value)}
            hidden = sorted(set(options) - set(plain))
            write("translate", model=self._folder, of=self._named, source=source, prefix=target_prefix,
                  options=plain, hidden=hidden, results=shown)
            return results

        def score_batch(self, source, target, **options):
            results = self._own.score_batch(source, target, **options)
            rows = [one.result() if hasattr(one, "result") else one for one in results]
            write("score", model=self._folder, of=self._named, source=source, target=target, options=options,
                  results=[{"tokens": row.tokens, "log_probs": list(row.log_probs)} for row in rows])
            return results

    ctranslate2.Translator = Translator


RECORDERS = {"sacrebleu": record_sacrebleu, "jiwer": record_jiwer, "rouge_score": record_rouge,
             "sentencepiece": record_sentencepiece, "ctranslate2": record_ctranslate2}

wanted = os.environ["PEER_LIBRARY"]
if importlib.util.find_spec(wanted) is None:
    raise SystemExit(f"peer_recorder: {wanted} is not installed")
RECORDERS[wanted]()
