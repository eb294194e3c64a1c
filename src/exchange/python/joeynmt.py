"""Writes a model of JoeyNMT as the files of a model folder of heed: heed import joeynmt.

    cat common.py joeynmt.py | python3 - FOLDER_OR_CHECKPOINT NEW_FOLDER

Needs PyTorch and PyYAML, not JoeyNMT; runs no code of the checkpoint (torch.load with weights_only).
"""

SPECIAL_KEYS = {"pad": "<pad>", "unk": "<unk>", "bos": "<s>", "eos": "</s>"}  # in the order of heed's ids
ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "swish": "silu"}


def find_files(path):
    """The folder of the model and its checkpoint."""
    if path.is_file():
        return path.parent, path
    best = path / "best.ckpt"
    if best.is_symlink() and not best.is_file():
        refuse(f"{best}: names {best.readlink()}, which is missing; name another checkpoint")
    found = [path / name for name in ("best.ckpt", "latest.ckpt") if (path / name).is_file()]
    if not found:
        refuse(f"{path}: has neither best.ckpt nor latest.ckpt; name a checkpoint")
    return path, found[0]


class JoeynmtSide(Side):
    """Source or target: tokenizer and vocabulary."""

    def __init__(self, key, data, folder, problems):
        config = data[key]
        self.key = f"data.{key}"
        level, self.lower = config.get("level"), bool(config.get("lowercase", False))
        details = config.get("tokenizer_cfg") or {}
        problems.expect(f"{self.key}.tokenizer_cfg.pretokenizer", details.get("pretokenizer", "none"), "none")
        problems.expect(f"{self.key}.normalize", bool(config.get("normalize", False)), False)
        problems.expect(f"{self.key}.level", level, "word", "bpe")
        if level == "bpe":
            problems.expect(f"{self.key}.tokenizer_type", config.get("tokenizer_type"), "sentencepiece")
            name = details.get("model_file")
            self.model = find_near(name, folder)
            if self.model is None:
                problems.append(f"{self.key}.tokenizer_cfg.model_file: {name} is not there, neither by its path nor in {folder}")
        special = data.get("special_symbols") or {}
        self.specials = [special.get(f"{name}_token", default) for name, default in SPECIAL_KEYS.items()]
        problems.expect("data.special_symbols.sep_token", special.get("sep_token"), None)
        problems.expect("data.special_symbols.lang_tags", special.get("lang_tags") or [], [])
        self.tokens = (folder / f"{key}_vocab.txt").read_text(encoding="utf-8").split("\n")
        if self.tokens[-1] == "":
            self.tokens.pop()
        missing = [token for token in self.specials if token not in self.tokens]
        if missing:
            problems.append(f"{folder / key}_vocab.txt: has no {', '.join(missing)}")


def stack_config(name, config, heads, problems):
    key = f"model.{name}"
    problems.expect(f"{key}.type", config.get("type"), "transformer")
    problems.expect(f"{key}.alpha", float(config.get("alpha", 1.0)), 1.0)
    activation = config.get("activation", "relu")
    problems.expect(f"{key}.activation", activation, *ACTIVATIONS)
    width = config.get("hidden_size", 512)
    dropout = config.get("dropout", 0.1)
    # An encoder whose config does not say layer_norm has it before each sublayer, and none behind the last layer.
    norm = config.get("layer_norm", {"encoder": "pre", "decoder": "post"}[name])
    return {
        "type": "transformer", "layers": config.get("num_layers", {"encoder": 8, "decoder": 4}[name]), "width": width,
        "feed_forward": config.get("ff_size", 2048), "activation": ACTIVATIONS.get(activation), "norm": norm,
        "final_norm": "layer_norm" in config or norm == "post", "positions": {"type": "sinusoidal"},
        "scale_embedding": bool(config["embeddings"].get("scale", False)), "dropout": dropout, "activation_dropout": dropout,
        "self_attention": {"score": "scaled_dot", "heads": heads, "dropout": dropout},
    }


def transformer_config(encoder, decoder, problems):
    heads = {"encoder": encoder.get("num_heads", 4), "decoder": decoder.get("num_heads", 8)}
    stacks = {name: stack_config(name, config, heads[name], problems) for name, config in (("encoder", encoder), ("decoder", decoder))}
    stacks["decoder"]["attention"] = {"score": "scaled_dot", "heads": heads["decoder"], "dropout": decoder.get("dropout", 0.1)}
    return stacks


def recurrent_config(encoder, decoder, problems):
    cell, width = encoder.get("rnn_type", "gru"), decoder.get("hidden_size", 0)
    problems.expect("model.decoder.type", decoder.get("type"), "recurrent")
    problems.expect("model.encoder.bidirectional", bool(encoder.get("bidirectional", True)), True)
    for part, config in (("encoder", encoder), ("decoder", decoder)):
        problems.expect(f"model.{part}.rnn_type", config.get("rnn_type", "gru"), "gru", "lstm")
        problems.expect(f"model.{part}.embeddings.scale", bool(config["embeddings"].get("scale", False)), False)
    problems.expect("model.decoder.activation", decoder.get("activation", "tanh"), "tanh")
    start, attention = decoder.get("init_hidden", "bridge"), decoder.get("attention", "bahdanau")
    problems.expect("model.decoder.init_hidden", start, "bridge", "zero", "zeros")
    problems.expect("model.decoder.attention", attention, "bahdanau", "luong")
    return {
        "encoder": {"type": "rnn", "cell": cell, "layers": encoder.get("num_layers", 1), "width": 2 * encoder.get("hidden_size", 1),
                    "bidirectional": True, "dropout": encoder.get("dropout", 0.0)},
        "decoder": {"type": "rnn", "cell": decoder.get("rnn_type", "gru"), "layers": decoder.get("num_layers", 1), "width": width,
                    "attend": "after", "input_feeding": bool(decoder.get("input_feeding", True)), "output_activation": "tanh", "deep_output": False,
                    "bridge": "shared" if start == "bridge" else "none", "dropout": decoder.get("dropout", 0.0),
                    "attention": {"score": {"type": "concat", "hidden": width} if attention == "bahdanau" else "general"}},
    }


def model_config(model, problems):
    encoder, decoder = model["encoder"], model["decoder"]
    problems.expect("model.encoder.type", encoder.get("type"), "transformer", "recurrent")
    problems.stop_if_any()
    stacks = {"transformer": transformer_config, "recurrent": recurrent_config}[encoder["type"]](encoder, decoder, problems)
    tied, softmax = bool(model.get("tied_embeddings")), bool(model.get("tied_softmax"))
    width = decoder["embeddings"].get("embedding_dim", 64)
    problems.expect("model.encoder.embeddings.embedding_dim", encoder["embeddings"].get("embedding_dim", 64), width)
    return {"embedding": {"width": width, "tie": "none" if not softmax else "all" if tied else "target"}, **stacks,
            "output": {"type": "vocabulary", "bias": False}}


# Keys of `testing` that change no translation.
WITHOUT_EFFECT = ("batch_size", "batch_type", "eval_batch_size", "eval_batch_type", "eval_metrics", "load_model", "return_attention",
                  "return_prob", "sacrebleu", "sacrebleu_cfg", "use_cuda", "fp16")


def search_config(testing):
    """-1 stands for no value."""
    rest = dict(testing)
    alpha = rest.pop("alpha", rest.pop("beam_alpha", -1))
    search = {"beam": rest.pop("beam_size", 1), "length_penalty": max(float(alpha), 0.0), "length_normalization": "gnmt",
              "min_length": max(rest.pop("min_output_length", 1), 0), "allow_unknown": bool(rest.pop("generate_unk", True)),
              "no_repeat_ngram": max(rest.pop("no_repeat_ngram_size", -1), 0), "repetition_penalty": max(float(rest.pop("repetition_penalty", -1)), 1.0)}
    longest = rest.pop("max_output_length", -1)
    if longest > 0:
        search |= {"max_length_ratio": 0, "max_length_extra": longest}
    others = [f"{key} ({value})" for key, value in rest.items() if key not in WITHOUT_EFFECT and (key, value) != ("n_best", 1)]
    if others:
        warn(f"config.yaml: testing: settings that heed's search does not have are left out: {', '.join(others)}")
    return search


def attention_names(own, other):
    return {f"{own}.{part}": f"{other}.{name}" for part, name in
            {"score.query": "q_layer", "score.key": "k_layer", "read.value": "v_layer", "read.output": "output_layer"}.items()}


def layer_names(own, other, norm):
    return {f"{own}.feed_forward.inner": f"{other}.feed_forward.pwff_layer.0",
            f"{own}.feed_forward.outer": f"{other}.feed_forward.pwff_layer.3",
            f"{own}.feed_forward_residual.norm": f"{other}.feed_forward.layer_norm",
            f"{own}.self_residual.norm": f"{other}.{norm}"}


def transformer_names(config):
    """Layers by their names in heed and in JoeyNMT."""
    names = {}
    for i in range(config["encoder"]["layers"]):
        own, other = f"encoder_source.layer_{i}", f"encoder.layers.{i}"
        names |= layer_names(own, other, "layer_norm") | attention_names(f"{own}.self_attention", f"{other}.src_src_att")
    for i in range(config["decoder"]["layers"]):
        own, other = f"decoder.layer_{i}", f"decoder.layers.{i}"
        names |= layer_names(own, other, "x_layer_norm") | attention_names(f"{own}.self_attention", f"{other}.trg_trg_att")
        names |= attention_names(f"{own}.attention", f"{other}.src_trg_att") | {f"{own}.residual.norm": f"{other}.dec_layer_norm"}
    for own, part in (("encoder_source", "encoder"), ("decoder", "decoder")):
        if config[part]["norm"] == "pre" and config[part]["final_norm"]:
            names[f"{own}.final_norm"] = f"{part}.layer_norm"
    return names


def recurrent_parameters(state, config):
    tensors = recurrent_layers(state, "encoder_source", "encoder.rnn", config["encoder"]["layers"], ("_forward", "_backward"))
    tensors |= recurrent_layers(state, "decoder", "decoder.rnn", config["decoder"]["layers"])
    names = layers_of({"decoder.output": "decoder.att_vector_layer"})
    if config["decoder"]["bridge"] == "shared":
        names |= layers_of({"decoder.bridge": "decoder.bridge_layer"})
    names["decoder.attention.score.key.weight"] = "decoder.attention.key_layer.weight"
    if config["decoder"]["attention"]["score"] != "general":
        names["decoder.attention.score.query.weight"] = "decoder.attention.query_layer.weight"
        tensors["decoder.attention.score.v"] = state["decoder.attention.energy_layer.weight"].flatten()
    return tensors | {own: state[other] for own, other in names.items()}


def convert(state, config, source, target):
    """The parameters of heed by name."""
    if config["encoder"]["type"] == "rnn":
        tensors = recurrent_parameters(state, config)
    else:
        tensors = {own: state[other] for own, other in layers_of(transformer_names(config)).items()}
    embeddings = {name: state[f"{name}_embed.lut.weight"] for name in ("src", "trg")}
    output = state["decoder.output_layer.weight"]
    tensors["target.embedding"] = embeddings["trg"][target.rows()]
    if config["embedding"]["tie"] != "all":
        tensors["source_source.embedding"] = embeddings["src"][source.rows()]
    if config["embedding"]["tie"] == "none":
        tensors["output.weight"] = output[target.rows()]
    state.refuse_others()
    return tensors


def main(path, new):
    folder, checkpoint = find_files(path)
    torch, yaml = import_packages(torch="torch", pyyaml="yaml")
    joeynmt = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    problems = Problems()
    source, target = (JoeynmtSide(key, joeynmt["data"], folder, problems) for key in ("src", "trg"))
    config = model_config(joeynmt["model"], problems)
    problems.stop_if_any()
    state = Parameters(read_checkpoint(torch, checkpoint)["model_state"])
    if config["embedding"]["tie"] == "all" and not source.equals(target):
        config["embedding"]["tie"] = "target"
    write_model(new, source, target, config, search_config(joeynmt.get("testing") or {}), convert(state, config, source, target))


if __name__ == "__main__":
    run(main)
