"""Writes a model of OpenNMT-py 3 as the files of a model folder of heed: heed import opennmt.

    cat common.py opennmt.py | python3 - CHECKPOINT NEW_FOLDER

Needs PyTorch, not OpenNMT-py; runs no code of the checkpoint (torch.load with weights_only).
"""

import argparse

OPENNMT_SPECIALS = ("<blank>", "<unk>", "<s>", "</s>")  # in the order of heed's ids
EMBEDDING = "embeddings.make_embedding.emb_luts.0.weight"
# Settings that change the parameters or the computation, with their defaults.
COMMON_DEFAULTS = {"model_task": "seq2seq", "model_type": "text", "copy_attn": False, "generator_function": "softmax", "lora_layers": [],
                   "lora_embedding": False, "quant_layers": []}
TRANSFORMER_DEFAULTS = {"max_relative_positions": 0, "relative_positions_buckets": 0, "num_kv": 0, "parallel_residual": False,
                        "layer_norm": "standard", "norm_eps": 1e-6, "num_experts": 0, "sliding_window": 0}
RECURRENT_DEFAULTS = {"position_encoding": False, "coverage_attn": False, "context_gate": None, "bridge": False,
                      "global_attention_function": "softmax"}
# Transforms that are used only in training.
TRAINING_TRANSFORMS = ("filtertoolong", "clean", "switchout", "tokendrop", "tokenmask", "uppercase")


class OpennmtSide(Side):
    """Source or target: tokenizer and vocabulary."""

    def __init__(self, key, vocab, options, folder, problems):
        self.tokens, self.specials = list(vocab[key]), OPENNMT_SPECIALS
        missing = [token for token in self.specials if token not in self.tokens]
        if missing:
            problems.append(f"the vocabulary {key} has no {', '.join(missing)}")
        if "sentencepiece" in transforms_of(options):
            name = getattr(options, f"{key}_subword_model", None)
            self.model = find_near(name, folder)
            if self.model is None:
                problems.append(f"{key}_subword_model: {name} is not there, neither by its path nor in {folder}")


def transforms_of(options):
    """All transforms, of all corpora."""
    found = list(getattr(options, "transforms", None) or [])
    data = getattr(options, "data", None)
    for corpus in (data.values() if isinstance(data, dict) else []):
        found += corpus.get("transforms") or []
    return sorted(set(found))


def check_options(options, vocab, problems):
    is_transformer = options.encoder_type == "transformer"
    for key, value in (COMMON_DEFAULTS | (TRANSFORMER_DEFAULTS if is_transformer else RECURRENT_DEFAULTS)).items():
        problems.expect(key, getattr(options, key, value), value)
    problems.expect("encoder_type", options.encoder_type, "transformer", "rnn", "brnn")
    problems.expect("decoder_type", options.decoder_type, "transformer" if is_transformer else "rnn")
    problems.expect("decoder_start_token", vocab.get("decoder_start_token", "<s>"), "<s>")
    if vocab.get("src_feats"):
        problems.append("src_feats: the source has features")
    for transform in transforms_of(options):
        problems.expect("transforms", transform, "sentencepiece", *TRAINING_TRANSFORMS)


def first_of(value):
    return value[0] if isinstance(value, list) else value


def count(state, pattern):
    """Layers: for how many numbers from 0 on a parameter of this name is there."""
    number = 0
    while pattern.format(number) in state:
        number += 1
    return number


def transformer_config(options, state, problems):
    activation = getattr(options, "pos_ffn_activation_fn", "relu")
    problems.expect("pos_ffn_activation_fn", activation, "relu", "gelu")
    problems.expect("self_attn_type", getattr(options, "self_attn_type", "scaled-dot"), "scaled-dot", "scaled-dot-flash")
    adds_positions = bool(options.position_encoding)
    if adds_positions:
        problems.expect("position_encoding_type", getattr(options, "position_encoding_type", "SinusoidalInterleaved"), "SinusoidalInterleaved")
    dropout, attention_dropout = first_of(options.dropout), first_of(getattr(options, "attention_dropout", options.dropout))
    attention = {"score": "scaled_dot", "heads": options.heads, "dropout": attention_dropout}
    stacks = {}
    for part, names in (("encoder", "encoder.transformer.{}"), ("decoder", "decoder.transformer_layers.{}")):
        inner = state.get(names.format(0) + ".feed_forward.w_1.weight")
        if inner is None:
            refuse(f"{part}: has no layers of a Transformer")
        stacks[part] = {
            "type": "transformer", "layers": count(state, names + ".feed_forward.w_1.weight"), "width": inner.shape[1], "feed_forward": inner.shape[0],
            "activation": activation, "norm": "pre", "positions": "sinusoidal" if adds_positions else "none", "scale_embedding": adds_positions,
            "dropout": dropout, "activation_dropout": dropout, "self_attention": attention,
        }
    stacks["decoder"]["attention"] = attention
    return stacks


def recurrent_config(options, state, problems):
    problems.expect("rnn_type", options.rnn_type, "LSTM", "GRU")
    score = options.global_attention
    problems.expect("global_attention", score, "dot", "general", "mlp")
    problems.stop_if_any()
    cell, dropout, width = options.rnn_type.lower(), first_of(options.dropout), state["decoder.attn.linear_out.weight"].shape[0]
    feeds = bool(options.input_feed)
    return {
        "encoder": {"type": "rnn", "cell": cell, "layers": count(state, "encoder.rnn.weight_ih_l{}"), "width": width,
                    "bidirectional": options.encoder_type == "brnn", "dropout": dropout},
        "decoder": {"type": "rnn", "cell": cell, "layers": count(state, "decoder.rnn.layers.{}.weight_ih" if feeds else "decoder.rnn.weight_ih_l{}"),
                    "width": width, "attend": "after", "input_feeding": feeds, "output_activation": "linear" if score == "mlp" else "tanh",
                    "deep_output": False, "bridge": "last", "dropout": dropout,
                    "attention": {"score": {"type": "additive", "hidden": width} if score == "mlp" else score}},
    }


def model_config(options, state, is_shared, problems):
    is_transformer = options.encoder_type == "transformer"
    stacks = (transformer_config if is_transformer else recurrent_config)(options, state, problems)
    tie = "none" if not options.share_decoder_embeddings else "all" if options.share_embeddings and is_shared else "target"
    widths = [state[f"{part}.{EMBEDDING}"].shape[1] for part in ("encoder", "decoder")]
    problems.expect("tgt_word_vec_size", widths[1], widths[0])
    embedding = {"width": widths[0], "tie": tie, "dropout": 0.0 if is_transformer else first_of(options.dropout)}
    return {"embedding": embedding, "source_end": False, **stacks, "output": {"type": "vocabulary", "bias": True}}


def attention_names(own, other):
    return {f"{own}.{part}": f"{other}.{name}" for part, name in
            {"score.query": "linear_query", "score.key": "linear_keys", "read.value": "linear_values", "read.output": "final_linear"}.items()}


def layer_names(own, other, norm):
    return attention_names(f"{own}.self_attention", f"{other}.self_attn") | {
        f"{own}.self_residual.norm": f"{other}.{norm}", f"{own}.feed_forward.inner": f"{other}.feed_forward.w_1",
        f"{own}.feed_forward.outer": f"{other}.feed_forward.w_2", f"{own}.feed_forward_residual.norm": f"{other}.feed_forward.layer_norm"}


def transformer_parameters(state, config):
    names = {"encoder_source.final_norm": "encoder.layer_norm", "decoder.final_norm": "decoder.layer_norm"}
    for i in range(config["encoder"]["layers"]):
        names |= layer_names(f"encoder_source.layer_{i}", f"encoder.transformer.{i}", "layer_norm")
    for i in range(config["decoder"]["layers"]):
        own, other = f"decoder.layer_{i}", f"decoder.transformer_layers.{i}"
        names |= layer_names(own, other, "layer_norm_1") | attention_names(f"{own}.attention", f"{other}.context_attn")
        names[f"{own}.residual.norm"] = f"{other}.layer_norm_2"
    tensors = {}
    for own, other in names.items():
        weight = tensors[f"{own}.weight"] = state[f"{other}.weight"]
        bias = f"{other}.bias"  # without add_qkvbias attention has none
        tensors[f"{own}.bias"] = state[bias] if bias in state else weight.new_zeros(weight.shape[0])
    return tensors


def recurrent_parameters(state, config):
    import torch
    encoder, decoder = config["encoder"], config["decoder"]
    directions = ("_forward", "_backward") if encoder["bidirectional"] else ("_forward",)
    tensors = recurrent_layers(state, "encoder_source", "encoder.rnn", encoder["layers"], directions)
    if decoder["input_feeding"]:
        for i in range(decoder["layers"]):
            tensors |= cell_of(state, f"decoder.layer_{i}", f"decoder.rnn.layers.{i}")
    else:
        tensors |= recurrent_layers(state, "decoder", "decoder.rnn", decoder["layers"])
    score, own, other = decoder["attention"]["score"], "decoder.attention.score", "decoder.attn"
    if score == "general":  # (W q)ᵀ k; heed has qᵀ (W k)
        tensors[f"{own}.key.weight"] = state[f"{other}.linear_in.weight"].t()
    elif score != "dot":
        tensors |= {f"{own}.query.weight": state[f"{other}.linear_query.weight"], f"{own}.query.bias": state[f"{other}.linear_query.bias"],
                    f"{own}.key.weight": state[f"{other}.linear_context.weight"], f"{own}.v": state[f"{other}.v.weight"].flatten()}
    context, query = state[f"{other}.linear_out.weight"].split(decoder["width"], dim=1)
    tensors["decoder.output.weight"] = torch.cat([query, context], dim=1)
    bias = f"{other}.linear_out.bias"
    tensors["decoder.output.bias"] = state[bias] if bias in state else context.new_zeros(decoder["width"])
    return tensors


def convert(state, config, source, target):
    """The parameters of heed by name."""
    own = transformer_parameters if config["encoder"]["type"] == "transformer" else recurrent_parameters
    tensors = own(state, config)
    source_embedding, target_embedding = (state[f"{part}.{EMBEDDING}"] for part in ("encoder", "decoder"))
    output = state["generator.weight"]
    tensors["target.embedding"] = target_embedding[target.rows()]
    tensors["output.bias"] = state["generator.bias"][target.rows()]
    if config["embedding"]["tie"] != "all":
        tensors["source_source.embedding"] = source_embedding[source.rows()]
    if config["embedding"]["tie"] == "none":
        tensors["output.weight"] = output[target.rows()]
    state.refuse_others()
    return tensors


# Defaults of onmt_translate, which ends as soon as the best hypothesis of a step is finished; a checkpoint holds no search settings.
SEARCH = {"beam": 5, "length_penalty": 1.0, "length_normalization": "plain", "patience": 0.2, "max_length_ratio": 1.25, "max_length_extra": 5}


def load(torch, path):
    if not hasattr(torch.serialization, "add_safe_globals"):
        refuse(f"{sys.executable}: has PyTorch {torch.__version__}, expected 2.4 or later")
    torch.serialization.add_safe_globals([argparse.Namespace])  # that of its settings
    checkpoint = read_checkpoint(torch, path)
    if "vocab" not in checkpoint or "opt" not in checkpoint:
        refuse("it is not a checkpoint of OpenNMT-py 3: has no vocab or no opt")
    if "model" not in checkpoint:
        refuse("save_format: safetensors, expected pytorch")
    generator = checkpoint["generator"] or {}
    state = Parameters(checkpoint["model"] | {f"generator.{name}": tensor for name, tensor in generator.items()})
    return state, checkpoint["opt"], checkpoint["vocab"]


def main(path, new):
    if path.is_dir():
        refuse("it is a folder; name a checkpoint in it, such as model_step_10000.pt")
    torch, = import_packages(torch="torch")
    state, options, vocab = load(torch, path)
    problems = Problems()
    check_options(options, vocab, problems)
    source, target = (OpennmtSide(key, vocab, options, path.parent, problems) for key in ("src", "tgt"))
    problems.stop_if_any()
    config = model_config(options, state, source.equals(target), problems)
    problems.stop_if_any()
    write_model(new, source, target, config, SEARCH, convert(state, config, source, target))


if __name__ == "__main__":
    run(main)
