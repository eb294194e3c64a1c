#include "exchange/marian_recurrent.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "config/reader.h"
#include "config/writer.h"
#include "data/example.h"
#include "exchange/marian_settings_reader.h"
#include "exchange/standard_transformer.h"
#include "model/decoders/rnn_config.h"
#include "model/parameter_names_spec.h"
#include "nn/attention/scores/additive_config.h"
#include "nn/attention/staged_config.h"

namespace heed {

namespace {

using Stacks = MarianRecurrentShape::Stacks;

const char* marian_word(CellKind kind) {
  switch (kind) {
    case CellKind::kGru:
      return "gru";
    case CellKind::kLstm:
      return "lstm";
    case CellKind::kRnn:
      return "tanh";
  }
  return "";
}

Json model_of(const MarianRecurrentShape& shape) {
  Json encoder = {{"type", "rnn"},
                  {"cell", cell_name(shape.encoder_cell)},
                  {"layers", shape.encoder_layers},
                  {"width", shape.source()},
                  {"transition_depth", shape.encoder_cells},
                  {"residual", shape.skip},
                  {"layer_norm", shape.layer_norm}};
  if (shape.encoder_layers > 1)
    encoder["stacks"] = shape.stacks == Stacks::kAlternating ? "alternating" : "separate";
  Json decoder = {
      {"type", "rnn"},
      {"cell", cell_name(shape.decoder_cell)},
      {"layers", shape.decoder_layers},
      {"base_transition_depth", shape.base_cells},
      {"width", shape.state},
      {"attend", shape.base_cells > 1 ? "conditional" : "after"},
      {"output_activation", "tanh"},
      {"output_width", shape.width},
      {"bridge", "mean"},
      {"residual", shape.skip},
      {"layer_norm", shape.layer_norm},
      {"attention",
       {{"score",
         {{"type", "additive"}, {"hidden", shape.source()}, {"layer_norm", shape.layer_norm}}},
        {"heads", 1}}}};
  if (shape.decoder_layers > 1) decoder["transition_depth"] = shape.high_cells;
  if (shape.layer_norm) encoder["layer_norm_form"] = decoder["layer_norm_form"] = "marian";
  return {{"embedding", {{"width", shape.width}, {"tie", shape.tie}, {"zero_begin", true}}},
          {"encoder", encoder},
          {"decoder", decoder},
          {"output", {{"type", "vocabulary"}, {"bias", true}}}};
}

class RecurrentSettingsReader final : MarianSettingsReader {
 public:
  using MarianSettingsReader::MarianSettingsReader;

  MarianRecurrentSettings read() {
    require_plain();
    read_tables(shape_);
    shape_.state = size("dim-rnn", 1024);
    shape_.skip = flag("skip");
    shape_.layer_norm = flag("layer-normalization");
    read_encoder();
    read_decoder();
    problems_.refuse_if_any();
    warn_of_rest("transformer-");
    return {shape_, model_of(shape_)};
  }

 private:
  CellKind cell(const std::string& key) {
    const Json found = get(key, "gru");
    problems_.expect(key, found, {"gru", "gru-nematus", "lstm", "tanh"});
    if (shape_.layer_norm && (found == "gru-nematus" || found == "tanh"))
      problems_.add(
          fmt::format("layer-normalization with {}: {}: expected gru or lstm, whose products are "
                      "normalized before a bias is added",
                      key, found.dump()));
    return found == "lstm" ? CellKind::kLstm : found == "tanh" ? CellKind::kRnn : CellKind::kGru;
  }

  void read_encoder() {
    shape_.encoder_cell = cell("enc-cell");
    shape_.encoder_layers = depth("enc-depth");
    shape_.encoder_cells = depth("enc-cell-depth");
    const Json type = get("enc-type", "bidirectional");
    if (type == "bi-unidirectional" && shape_.encoder_layers > 1)
      problems_.add(
          fmt::format("enc-type: found \"bi-unidirectional\" of {} layers, expected bidirectional "
                      "or alternating, or one layer",
                      shape_.encoder_layers));
    else
      problems_.expect("enc-type", type, {"bidirectional", "alternating", "bi-unidirectional"});
    if (type == "alternating") shape_.stacks = Stacks::kAlternating;
  }

  void read_decoder() {
    shape_.decoder_cell = cell("dec-cell");
    shape_.decoder_layers = depth("dec-depth");
    shape_.base_cells = depth("dec-cell-base-depth", 2);
    shape_.high_cells = depth("dec-cell-high-depth");
    if (shape_.base_cells == 1 && shape_.decoder_layers > 1)
      problems_.add(
          fmt::format("dec-cell-base-depth: found 1 with {} layers of the decoder, expected 2 or "
                      "more, so that a cell reads the context vector, or one layer",
                      shape_.decoder_layers));
    problems_.expect("dec-high-context", get("dec-high-context", "none"), {"none"});
    if (get("dec-cell", "gru") == "gru-nematus" && shape_.high_cells > 1)
      problems_.add(fmt::format("dec-cell-high-depth: found {}, expected 1 with gru-nematus",
                                shape_.high_cells));
  }

  MarianRecurrentShape shape_;
};

// A cell of heed and of Marian.
struct MarianCell {
  std::string own, to;
  CellKind kind = CellKind::kGru;
  int64_t inputs = 0;  // width of what it reads beside its state; 0: nothing
  // The bias of n is in the product with the reset gate, r (U h + b).
  bool resets_bias = false;
};

std::string cell_number(const std::string& name, int64_t i) {
  return i == 1 ? name : fmt::format("{}_cell_{}", name, i);
}

std::vector<MarianCell> marian_cells(const MarianRecurrentShape& shape) {
  std::vector<MarianCell> cells;
  const std::string encoder = names::encoder(kSourceSide);
  for (int64_t i = 0; i < shape.encoder_layers; ++i) {
    for (const bool second : {false, true}) {
      const std::string own =
          second ? names::backward_layer(encoder, i) : names::forward_layer(encoder, i);
      std::string to = second ? "encoder_bi_r" : "encoder_bi";
      if (i > 0) to += fmt::format("_l{}", i + 1);
      for (int64_t j = 1; j <= shape.encoder_cells; ++j) {
        const std::string end = i > 0 || j > 1 ? fmt::format("_cell{}", j) : "";
        const int64_t inputs = j > 1 ? 0 : i == 0 ? shape.width : shape.state;
        cells.push_back({cell_number(own, j), to + end, shape.encoder_cell, inputs, false});
      }
    }
  }
  for (int64_t i = 0; i < shape.decoder_layers; ++i) {
    const bool is_base = i == 0;
    const std::string own = names::layer(names::kDecoder, i),
                      to = is_base ? "decoder" : fmt::format("decoder_l{}", i + 1);
    for (int64_t j = 1; j <= (is_base ? shape.base_cells : shape.high_cells); ++j) {
      const int64_t inputs = j == 1              ? (is_base ? shape.width : shape.state)
                             : is_base && j == 2 ? shape.source()
                                                 : 0;
      cells.push_back({cell_number(own, j), fmt::format("{}_cell{}", to, j), shape.decoder_cell,
                       inputs, is_base && j > 1});
    }
  }
  return cells;
}

int64_t gates_of_kind(CellKind kind) {
  return kind == CellKind::kLstm ? 4 : kind == CellKind::kGru ? 3 : 1;
}

// Rows of gates: Marian has f, i, g, o of an LSTM, heed i, f, g, o.
Tensor in_other_order(const Tensor& gates, CellKind kind) {
  if (kind != CellKind::kLstm) return gates;
  const auto parts = gates.chunk(4, 0);
  return torch::cat({parts[1], parts[0], parts[2], parts[3]}, 0);
}

// Parts of the layer over the decoder's state: in heed state, context vector and token, in Marian
// token, state and context vector.
constexpr int kOutputParts[] = {1, 2, 0};

class RecurrentReader {
 public:
  RecurrentReader(const MarianRecurrentShape& shape, ToolkitParameters& from)
      : shape_(shape), from_(from) {}

  NamedTensors read() {
    for (const MarianCell& cell : marian_cells(shape_)) read_cell(cell);
    read_attention();
    read_bridge();
    read_output();
    return std::move(to_);
  }

 private:
  Tensor matrix(const std::string& name, int64_t inputs, int64_t outputs) {
    return marian_matrix(from_, name, inputs, outputs).t();
  }
  Tensor row(const std::string& name, int64_t size) { return marian_row(from_, name, size); }

  // A GRU has its matrices and biases in two parts, of r and z and of n.
  Tensor matrix_of(const MarianCell& cell, const std::string& letter, int64_t inputs) {
    const std::string name = cell.to + "_" + letter;
    const int64_t state = shape_.state;
    if (cell.kind != CellKind::kGru) return matrix(name, inputs, gates_of_kind(cell.kind) * state);
    return torch::cat({matrix(name, inputs, 2 * state), matrix(name + "x", inputs, state)}, 0);
  }

  void read_cell(const MarianCell& cell) {
    const names::CellNames own(cell.own);
    const int64_t state = shape_.state, gates = gates_of_kind(cell.kind);
    const auto add = [&](const std::string& name, const std::string& letter, int64_t inputs) {
      to_[name] = in_other_order(matrix_of(cell, letter, inputs), cell.kind)
                      .reshape({gates, state, inputs});
    };
    if (cell.inputs > 0) add(own.weight_input, "W", cell.inputs);
    add(own.weight_hidden, "U", state);
    const bool is_gru = cell.kind == CellKind::kGru;
    Tensor bias = row(cell.to + "_b", (is_gru ? 2 : gates) * state),
           reset = torch::zeros_like(bias);
    if (is_gru) {
      const Tensor n = row(cell.to + "_bx", state), zero = torch::zeros_like(n);
      bias = torch::cat({bias, cell.resets_bias ? zero : n});
      reset = torch::cat({reset, cell.resets_bias ? n : zero});
    }
    to_[own.bias_input] = in_other_order(bias, cell.kind);
    to_[own.bias_hidden] = reset;
    if (!shape_.layer_norm) return;
    const auto gain = [&](const char* name) {
      return in_other_order(row(cell.to + name, gates * state), cell.kind);
    };
    if (cell.inputs > 0) to_[own.norm_input] = gain("_gamma1");
    to_[own.norm_hidden] = gain("_gamma2");
  }

  void read_attention() {
    const names::AttentionNames own(names::kDecoderAttention);
    const int64_t width = shape_.source();
    to_[names::weight(own.query)] = matrix("decoder_W_comb_att", shape_.state, width);
    to_[names::bias(own.query)] = row("decoder_b_att", width);
    to_[names::weight(own.key)] = matrix("decoder_Wc_att", width, width);
    to_[own.v] = matrix("decoder_U_att", width, 1).flatten();
    if (!shape_.layer_norm) return;
    to_[own.key_gain] = row("decoder_att_gamma1", width);
    to_[own.query_gain] = row("decoder_att_gamma2", width);
  }

  void read_bridge() {
    const int64_t state = shape_.state;
    to_[names::weight(names::kBridge)] = matrix("decoder_ff_state_W", shape_.source(), state);
    to_[names::bias(names::kBridge)] = row("decoder_ff_state_b", state);
    if (shape_.layer_norm) to_[names::kBridgeNorm] = row("decoder_ff_state_gamma", state);
  }

  void read_output() {
    const std::string to = "decoder_ff_logit_l1";
    const int64_t width = shape_.width,
                  inputs[] = {shape_.state, shape_.source(), width};  // as kOutputParts
    std::vector<Tensor> weights;
    Tensor bias;
    for (const int part : kOutputParts) {
      weights.push_back(matrix(fmt::format("{}_W{}", to, part), inputs[weights.size()], width));
      const Tensor one = row(fmt::format("{}_b{}", to, part), width);
      bias = bias.defined() ? bias + one : one;
      if (shape_.layer_norm)
        to_[names::read_out_norm(weights.size() - 1)] =
            row(fmt::format("{}_gamma{}", to, part), width);
    }
    to_[names::weight(names::kReadOut)] = torch::cat(weights, 1);
    to_[names::bias(names::kReadOut)] = bias;
  }

  const MarianRecurrentShape& shape_;
  ToolkitParameters& from_;
  NamedTensors to_;
};

class RecurrentWriter {
 public:
  RecurrentWriter(const MarianRecurrentShape& shape, const NamedTensors& own)
      : shape_(shape), own_(own) {}

  NamedTensors write() {
    for (const MarianCell& cell : marian_cells(shape_)) write_cell(cell);
    write_attention();
    matrix("decoder_ff_state_W", own(names::weight(names::kBridge)));
    row("decoder_ff_state_b", own(names::bias(names::kBridge)));
    if (shape_.layer_norm) row("decoder_ff_state_gamma", own(names::kBridgeNorm));
    write_output();
    return std::move(to_);
  }

 private:
  Tensor own(const std::string& name) const { return own_.at(name).detach().cpu(); }
  void matrix(const std::string& name, const Tensor& weight) {
    to_[name] = weight.t().contiguous();
  }
  void row(const std::string& name, const Tensor& numbers) {
    to_[name] = numbers.unsqueeze(0).contiguous();
  }
  void column(const std::string& name, const Tensor& numbers) {
    to_[name] = numbers.unsqueeze(1).contiguous();
  }

  void write_cell(const MarianCell& cell) {
    const names::CellNames own_names(cell.own);
    const int64_t width = shape_.state;
    const auto write = [&](const std::string& letter, const Tensor& gates) {
      const Tensor weight = in_other_order(gates.flatten(0, 1), cell.kind);
      const std::string name = cell.to + "_" + letter;
      if (cell.kind != CellKind::kGru) return matrix(name, weight);
      matrix(name, weight.narrow(0, 0, 2 * width));
      matrix(name + "x", weight.narrow(0, 2 * width, width));
    };
    if (cell.inputs > 0) write("W", own(own_names.weight_input));
    write("U", own(own_names.weight_hidden));
    const Tensor input = own(own_names.bias_input), hidden = own(own_names.bias_hidden),
                 sum = in_other_order(input + hidden, cell.kind);
    if (cell.kind == CellKind::kGru) {
      const Tensor& other = cell.resets_bias ? input : hidden;
      if (other.narrow(0, 2 * width, width).any().item<bool>())
        refuse_model(
            {fmt::format("{} has two biases of n, in n = tanh(W x + b + r (U h + b')), and "
                         "Marian has {}: use `cell: lstm`",
                         cell.own, cell.resets_bias ? "b'" : "b")},
            "Marian");
      row(cell.to + "_b", sum.narrow(0, 0, 2 * width));
      row(cell.to + "_bx", sum.narrow(0, 2 * width, width));
    } else {
      row(cell.to + "_b", sum);
    }
    if (!shape_.layer_norm) return;
    if (cell.inputs > 0)
      row(cell.to + "_gamma1", in_other_order(own(own_names.norm_input), cell.kind));
    row(cell.to + "_gamma2", in_other_order(own(own_names.norm_hidden), cell.kind));
  }

  void write_attention() {
    const names::AttentionNames names(names::kDecoderAttention);
    matrix("decoder_W_comb_att", own(names::weight(names.query)));
    row("decoder_b_att", own(names::bias(names.query)));
    matrix("decoder_Wc_att", own(names::weight(names.key)));
    column("decoder_U_att", own(names.v));
    if (!shape_.layer_norm) return;
    row("decoder_att_gamma1", own(names.key_gain));
    row("decoder_att_gamma2", own(names.query_gain));
  }

  void write_output() {
    const std::string to = "decoder_ff_logit_l1";
    const Tensor weight = own(names::weight(names::kReadOut)),
                 bias = own(names::bias(names::kReadOut));
    const int64_t widths[] = {shape_.state, shape_.source(), shape_.width};
    int64_t begin = 0;
    for (size_t i = 0; i < std::size(kOutputParts); ++i) {
      const int part = kOutputParts[i];
      matrix(fmt::format("{}_W{}", to, part), weight.narrow(1, begin, widths[i]));
      begin += widths[i];
      row(fmt::format("{}_b{}", to, part), part == 0 ? bias : torch::zeros_like(bias));
      if (shape_.layer_norm) row(fmt::format("{}_gamma{}", to, part), own(names::read_out_norm(i)));
    }
  }

  const MarianRecurrentShape& shape_;
  const NamedTensors& own_;
  NamedTensors to_;
};

// True for keys that have no effect on a translation, or whose values the shape has.
bool is_free(const std::string& key, const MarianRecurrentShape& shape) {
  static constexpr const char* kEndings[] = {"dropout",
                                             "dropout_mask",
                                             "transition_depth",
                                             "output.bias",
                                             "embedding.tag",
                                             "embedding.share_sources",
                                             "embedding.zero_begin"};
  if (key.starts_with("model.initializer")) return true;
  if (std::ranges::any_of(kEndings, [&](const char* end) { return key.ends_with(end); }))
    return true;
  if (shape.encoder_layers == 1 &&
      (key == "model.encoder.stacks" || key == "model.encoder.residual"))
    return true;
  return shape.decoder_layers == 1 && key == "model.decoder.residual";
}

}  // namespace

MarianRecurrentSettings read_marian_recurrent_settings(const Json& settings) {
  return RecurrentSettingsReader(settings).read();
}

std::map<std::string, std::string> names_of_nematus(const MarianRecurrentShape& shape) {
  std::map<std::string, std::string> names = {{"ff_logit_prev_W", "decoder_ff_logit_l1_W0"},
                                              {"ff_logit_lstm_W", "decoder_ff_logit_l1_W1"},
                                              {"ff_logit_ctx_W", "decoder_ff_logit_l1_W2"},
                                              {"ff_logit_prev_b", "decoder_ff_logit_l1_b0"},
                                              {"ff_logit_lstm_b", "decoder_ff_logit_l1_b1"},
                                              {"ff_logit_ctx_b", "decoder_ff_logit_l1_b2"},
                                              {"ff_logit_W", "decoder_ff_logit_l2_W"},
                                              {"ff_logit_b", "decoder_ff_logit_l2_b"},
                                              {"ff_state_W", "decoder_ff_state_W"},
                                              {"ff_state_b", "decoder_ff_state_b"},
                                              {"ff_state_gamma", "decoder_ff_state_gamma"},
                                              {"Wemb_dec", "decoder_Wemb"},
                                              {"decoder_Wc", "decoder_cell2_W"},
                                              {"decoder_Wcx", "decoder_cell2_Wx"}};
  for (int i = 0; i < 3; ++i)
    names[fmt::format("ff_logit_l1_gamma{}", i)] = fmt::format("decoder_ff_logit_l1_gamma{}", i);
  if (!shape.shares_inputs()) names["Wemb"] = "encoder_Wemb";
  for (const char* part : {"U", "Ux", "W", "Wx", "b", "bx", "gamma1", "gamma2"}) {
    names[fmt::format("encoder_{}", part)] = fmt::format("encoder_bi_{}", part);
    names[fmt::format("encoder_r_{}", part)] = fmt::format("encoder_bi_r_{}", part);
    names[fmt::format("decoder_{}", part)] = fmt::format("decoder_cell1_{}", part);
  }
  for (const char* part : {"U", "Ux", "b", "bx"}) {
    names[fmt::format("decoder_{}_nl", part)] = fmt::format("decoder_cell2_{}", part);
    for (int64_t i = 1; i < shape.encoder_cells; ++i) {
      names[fmt::format("encoder_{}_drt_{}", part, i)] =
          fmt::format("encoder_bi_cell{}_{}", i + 1, part);
      names[fmt::format("encoder_r_{}_drt_{}", part, i)] =
          fmt::format("encoder_bi_r_cell{}_{}", i + 1, part);
    }
    for (int64_t i = 3; i <= shape.base_cells; ++i)
      names[fmt::format("decoder_{}_nl_drt_{}", part, i - 2)] =
          fmt::format("decoder_cell{}_{}", i, part);
  }
  return names;
}

NamedTensors read_marian_recurrent(const MarianRecurrentShape& shape, ToolkitParameters& from) {
  return RecurrentReader(shape, from).read();
}

MarianRecurrentShape marian_recurrent_shape(const SavedModelConfig& config) {
  const ModelConfig& model = config.model;
  std::vector<std::string> reasons;
  if (config.sources.size() != 1)
    reasons.push_back(fmt::format("it has {} sources, expected one", config.sources.size()));
  if (!config.tags.empty()) reasons.emplace_back("its data have tags");
  const auto* encoder = dynamic_cast<const RnnEncoderConfig*>(model.encoder.get());
  const auto* decoder = dynamic_cast<const RnnDecoderConfig*>(model.decoder.get());
  if (encoder == nullptr || decoder == nullptr)
    reasons.emplace_back(
        "model.encoder.type and model.decoder.type: expected rnn, or both transformer");
  refuse_model(reasons, "Marian");
  MarianRecurrentShape shape;
  shape.width = model.embedding.width;
  const bool source = model.embedding.ties_source(), output = model.embedding.ties_output();
  shape.tie = source && output ? "all" : output ? "target" : source ? "inputs" : "none";
  shape.state = decoder->width;
  shape.encoder_cell = encoder->cell;
  shape.decoder_cell = decoder->cell;
  if (encoder->stacks == Stacks::kAlternating) shape.stacks = Stacks::kAlternating;
  shape.encoder_layers = encoder->layers;
  shape.encoder_cells = encoder->transition_depth;
  shape.decoder_layers = decoder->layers;
  const bool may_be_one =
      decoder->attend == RnnDecoderConfig::Attend::kAfter && decoder->layers == 1;
  shape.base_cells = std::max<int64_t>(decoder->base_depth(), may_be_one ? 1 : 2);
  shape.high_cells = decoder->layers > 1 ? decoder->transition_depth : 1;
  shape.skip =
      (encoder->residual && encoder->layers > 1) || (decoder->residual && decoder->layers > 1);
  shape.layer_norm = decoder->norm.layer_norm;
  SavedModelConfig standard;
  read_config_text(model_of(shape).dump(), "model", standard.model);
  const FlatConfig found = flatten_config(config), expected = flatten_config(standard);
  for (const auto& [key, value] : expected) {
    const auto own = found.find(key);
    if (!key.starts_with("model.") || own == found.end() || is_free(key, shape)) continue;
    if (own->second != value)
      reasons.push_back(fmt::format("{} is {}, expected {}", key, own->second, value));
  }
  for (const auto& [key, value] : found) {
    if (key.starts_with("model.") && !expected.contains(key) && !is_free(key, shape))
      reasons.push_back(fmt::format("{} is {}, expected none", key, value));
  }
  if (shape.layer_norm &&
      (shape.encoder_cell == CellKind::kRnn || shape.decoder_cell == CellKind::kRnn))
    reasons.emplace_back("layer_norm with cell: rnn: expected gru or lstm");
  refuse_model(reasons, "Marian");
  return shape;
}

NamedTensors write_marian_recurrent(const MarianRecurrentShape& shape, const NamedTensors& own) {
  return RecurrentWriter(shape, own).write();
}

std::vector<std::pair<std::string, std::string>> marian_settings_of(
    const MarianRecurrentShape& shape) {
  const auto word = [](bool value) { return value ? "true" : "false"; };
  return {{"type", "s2s"},
          {"dim-emb", std::to_string(shape.width)},
          {"dim-rnn", std::to_string(shape.state)},
          {"enc-type", shape.stacks == Stacks::kAlternating ? "alternating" : "bidirectional"},
          {"enc-cell", marian_word(shape.encoder_cell)},
          {"enc-cell-depth", std::to_string(shape.encoder_cells)},
          {"enc-depth", std::to_string(shape.encoder_layers)},
          {"dec-cell", marian_word(shape.decoder_cell)},
          {"dec-cell-base-depth", std::to_string(shape.base_cells)},
          {"dec-cell-high-depth", std::to_string(shape.high_cells)},
          {"dec-depth", std::to_string(shape.decoder_layers)},
          {"skip", word(shape.skip)},
          {"layer-normalization", word(shape.layer_norm)}};
}

}  // namespace heed
