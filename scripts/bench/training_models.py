"""The models of training_speed.py in the settings of each program: README's LSTM and Transformer, and the base Transformer of
Vaswani 2017 (6+6 layers of width 512)."""

# Settings that OpenNMT-py shares with the others: two cores, Adam, clipping at 1, label smoothing 0.1, batches by tokens.
COMMON = """
share_vocab: true
share_embeddings: true
src_vocab_size: 32000
tgt_vocab_size: 32000
batch_type: tokens
normalization: tokens
batch_size_multiple: 1
bucket_size: 30000
num_workers: 1
optim: adam
max_grad_norm: 1
label_smoothing: 0.1
valid_steps: 100000
save_checkpoint_steps: 100000
report_every: 5
seed: 1
"""


class Transformer:
    """Sizes of a Transformer whose encoder and decoder are alike, with one matrix for embeddings and output."""

    def __init__(self, layers, width, feed_forward, heads, dropout, warmup, tokens):
        self.layers, self.width, self.feed_forward, self.heads = layers, width, feed_forward, heads
        self.dropout, self.warmup, self.tokens = dropout, warmup, tokens

    def opennmt(self):
        return COMMON + f"""
encoder_type: transformer
decoder_type: transformer
position_encoding: true
share_decoder_embeddings: true
layers: {self.layers}
word_vec_size: {self.width}
hidden_size: {self.width}
transformer_ff: {self.feed_forward}
heads: {self.heads}
dropout: [{self.dropout}]
attention_dropout: [0.1]
learning_rate: 2
decay_method: noam
warmup_steps: {self.warmup}
adam_beta2: 0.98
param_init_glorot: true
param_init: 0
batch_size: {self.tokens}
"""

    # JoeyNMT counts padding and does not sort by length: twice the number gives batches of about as many target tokens.
    def joeynmt(self):
        layers = "".join(f"""
  {part}: {{type: transformer, num_layers: {self.layers}, num_heads: {self.heads}, embeddings: {{embedding_dim: {self.width}, scale: true}},
            hidden_size: {self.width}, ff_size: {self.feed_forward}, dropout: {self.dropout}}}""" for part in ("encoder", "decoder"))
        return layers, 2 * self.tokens, 0.001

    def marian(self):
        return self.tokens, ["--type", "transformer", "--enc-depth", self.layers, "--dec-depth", self.layers, "--dim-emb", self.width,
                             "--transformer-heads", self.heads, "--transformer-dim-ffn", self.feed_forward, "--transformer-dropout", self.dropout,
                             "--transformer-preprocess", "n", "--transformer-postprocess", "da", "--transformer-postprocess-top", "n",
                             "--lr-warmup", self.warmup, "--lr-decay-inv-sqrt", self.warmup, "--learn-rate", 0.0005]

    def heed(self):
        attention = f"{{score: scaled_dot, heads: {self.heads}}}"
        layers = (f"type: transformer, layers: {self.layers}, width: {self.width}, feed_forward: {self.feed_forward}, "
                  f"dropout: {self.dropout}, self_attention: {attention}")
        rate = 2 * (self.width * self.warmup) ** -0.5  # the largest of OpenNMT-py's noam with learning_rate 2
        return "multi30k-transformer.yaml", [f"train.batch={{tokens: {self.tokens}}}", f"model.embedding.width={self.width}",
                                             f"model.encoder={{{layers}}}", f"model.decoder={{{layers}, attention: {attention}}}",
                                             f"train.optimizer.rate={rate:.6f}",
                                             f"train.schedule={{type: inverse_sqrt, warmup: {self.warmup}}}"]


SMALL = Transformer(layers=4, width=128, feed_forward=256, heads=4, dropout=0.3, warmup=1500, tokens=4096)
BASE = Transformer(layers=6, width=512, feed_forward=2048, heads=8, dropout=0.1, warmup=4000, tokens=4096)

OPENNMT = {
    "rnn": COMMON + """
encoder_type: brnn
rnn_type: LSTM
layers: 1
word_vec_size: 256
hidden_size: 512
global_attention: mlp
input_feed: 1
dropout: [0.3]
learning_rate: 0.001
batch_size: 2048
""",
    "transformer": SMALL.opennmt(),
    "base": BASE.opennmt(),
}
JOEYNMT = {
    "rnn": ("""
  encoder: {type: recurrent, rnn_type: lstm, embeddings: {embedding_dim: 256}, hidden_size: 512, bidirectional: true,
            num_layers: 1, dropout: 0.3}
  decoder: {type: recurrent, rnn_type: lstm, embeddings: {embedding_dim: 256}, hidden_size: 512, num_layers: 1, dropout: 0.3,
            attention: bahdanau, input_feeding: true, init_hidden: bridge}""", 4096, 0.001),
    "transformer": SMALL.joeynmt(),
    "base": BASE.joeynmt(),
}
# Marian has no decoder of the recurrent model's form.
MARIAN = {
    "transformer": SMALL.marian(),
    "base": BASE.marian(),
}
# The decoders of the peers attend after the cell and feed the output back, with additive attention. The learning rates are those of
# OpenNMT-py.
HEED = {
    "rnn": ("multi30k-rnn-luong.yaml", ["model.decoder.attention={score: {type: additive, hidden: 512}}", "train.optimizer.rate=0.001",
                                        "train.schedule={type: constant}"]),
    "transformer": SMALL.heed(),
    "base": BASE.heed(),
}


def joeynmt_config(model, work, updates):
    layers, tokens, rate = JOEYNMT[model]
    side = {language: f"{{lang: {language}, level: word, lowercase: false, max_length: 500, voc_file: {work}/vocabulary.joeynmt, "
                      "tokenizer_type: none}" for language in ("en", "de")}
    return f"""
name: speed
joeynmt_version: 2.3.0
model_dir: {work}/joeynmt
use_cuda: false
fp16: false
random_seed: 1
data:
  dataset_type: plain
  train: {work}/train
  dev: {work}/dev
  src: {side["en"]}
  trg: {side["de"]}
testing: {{beam_size: 1}}
training:
  optimizer: adam
  learning_rate: {rate}
  normalization: tokens
  clip_grad_norm: 1.0
  label_smoothing: 0.1
  loss: crossentropy
  batch_size: {tokens}
  batch_type: token
  epochs: 100
  updates: {updates}
  scheduling: warmupinversesquareroot
  learning_rate_warmup: 1500
  validation_freq: 1000000
  logging_freq: 5
  overwrite: true
  shuffle: true
model:
  initializer: xavier_uniform
  embed_initializer: xavier_uniform
  tied_embeddings: true
  tied_softmax: {"false" if model == "rnn" else "true"}{layers}
"""
