#include "exchange/toolkit_model.h"

#include "nn/torch.h"

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "config/mistakes.h"
#include "config/ranges.h"
#include "config/reader.h"
#include "data/example.h"
#include "exchange/sentencepiece_choice.h"
#include "exchange/token_rows.h"
#include "model/model_size.h"
#include "model/parameter_names_spec.h"
#include "nn/positions.h"
#include "text/line_language.h"
#include "text/sentencepiece.h"
#include "text/words.h"

namespace heed {

namespace {

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string joined(const std::vector<std::string>& words, const char* separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

// table: [P,1,W] or [1,P,W].
bool is_sinusoid_table(const Tensor& table) {
  return table.dim() == 3 && std::min(table.size(0), table.size(1)) == 1 && table.size(2) > 0 &&
         has_sinusoids(table.reshape({-1, table.size(2)}));
}

}  // namespace

void refuse_model_of_toolkit(const std::string& reason) { throw Refusal(reason); }

LoadedModel import_toolkit_model(const std::filesystem::path& model,
                                 const std::function<LoadedModel()>& work) {
  const auto refuse = [&model](const std::string& reason) {
    throw_error(ErrorKind::kModel, "{}: cannot be imported: {}", model.string(), reason);
  };
  try {
    return work();
  } catch (const Refusal& refusal) {
    refuse(refusal.what());
  } catch (const Json::exception& error) {
    refuse(fmt::format("it is damaged, or of another version: {}", error.what()));
  } catch (const c10::Error& error) {
    refuse(fmt::format("it is damaged, or of another version: {}",
                       first_line(error.what_without_backtrace())));
  }
  return {};
}

Json setting(const Json& object, const std::string& key, const Json& fallback) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? fallback : *found;
}

bool is_set(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value != 0;
  if (value.is_string()) return !value.get<std::string>().empty();
  return !value.empty();
}

void ToolkitProblems::expect(const std::string& key, const Json& found,
                             std::initializer_list<Json> expected) {
  if (std::ranges::count(expected, found) > 0) return;
  std::vector<std::string> values;
  for (const Json& value : expected) values.push_back(value.dump());
  add(fmt::format("{}: found {}, expected {}", key, found.dump(), joined(values, " or ")));
}

void ToolkitProblems::refuse_if_any() const {
  if (!problems_.empty()) refuse_model_of_toolkit(joined(problems_, "; "));
}

ToolkitSearchReader::ToolkitSearchReader(const YamlFile& file, const std::string& section)
    : file_(file), prefix_(section.empty() ? "" : section + "."), values_(file.values) {
  if (section.empty()) return;
  values_ = setting(file.values, section, Json::object());
  if (values_.is_object()) return;
  problems_.add(fmt::format("{}: found {}, expected keys", file.place(section), values_.dump()));
  values_ = Json::object();
}

Json ToolkitSearchReader::take(const std::string& key, const Json& otherwise) {
  read_.insert(key);
  return setting(values_, key, otherwise);
}

void ToolkitSearchReader::add_problem(const std::string& key, const std::string& expected) {
  problems_.add(fmt::format("{}: found {}, expected {}", file_.place(prefix_ + key),
                            values_.at(key).dump(), expected));
}

int64_t ToolkitSearchReader::whole(const std::string& key, int64_t otherwise, IntRange range) {
  const Json found = take(key, otherwise);
  if (found.is_number_integer() && (found == otherwise || contains(range, found.get<int64_t>())))
    return found.get<int64_t>();
  add_problem(key, "a whole number " + range_text(range));
  return otherwise;
}

double ToolkitSearchReader::real(const std::string& key, double otherwise, Range range) {
  const Json found = take(key, otherwise);
  if (found.is_number() && (found == otherwise || contains(range, found.get<double>())))
    return found.get<double>();
  add_problem(key, "a number " + range_text(range));
  return otherwise;
}

bool ToolkitSearchReader::flag(const std::string& key, bool otherwise) {
  const Json found = take(key, otherwise);
  if (found.is_boolean() || found == 0 || found == 1) return is_set(found);
  add_problem(key, "true or false");
  return otherwise;
}

Json ToolkitSearchReader::others() const {
  Json rest = values_;
  for (const std::string& key : read_) rest.erase(key);
  return rest;
}

ToolkitParameters::ToolkitParameters(std::unique_ptr<TensorFile> file) : file_(std::move(file)) {
  for (const std::string& name : file_->names()) shapes_[name] = file_->shape(name);
}

const std::vector<int64_t>& ToolkitParameters::any_shape(const std::string& name) const {
  const auto found = shapes_.find(name);
  if (found == shapes_.end()) refuse_model_of_toolkit(fmt::format("it has no parameter {}", name));
  return found->second;
}

std::vector<int64_t> ToolkitParameters::shape(const std::string& name) const {
  const std::vector<int64_t>& found = any_shape(name);
  if (found.size() != 2)
    refuse_model_of_toolkit(fmt::format("{} is {}, expected a matrix", name, shape_text(found)));
  return found;
}

void ToolkitParameters::expect_shape(const std::string& name,
                                     std::initializer_list<std::vector<int64_t>> expected) const {
  const std::vector<int64_t>& found = any_shape(name);
  if (std::ranges::count(expected, found) > 0) return;
  refuse_model_of_toolkit(fmt::format("{} is {}, expected {} by the settings of the model", name,
                                      shape_text(found), shape_text(*expected.begin())));
}

Tensor ToolkitParameters::take(const std::string& name) {
  if (!has(name)) refuse_model_of_toolkit(fmt::format("it has no parameter {}", name));
  taken_.insert(name);
  const Tensor stored = file_->read(name);
  if (!stored.is_floating_point())
    refuse_model_of_toolkit(fmt::format("{} has whole numbers, expected float32 or float16", name));
  const Tensor tensor = stored.to(torch::kFloat);
  if (!tensor.isfinite().all().item<bool>())
    refuse_model_of_toolkit(fmt::format("{} has numbers that are not finite", name));
  return tensor;
}

void ToolkitParameters::take_copy(const std::string& name, const std::string& original) {
  if (!take(name).equal(take(original)))
    refuse_model_of_toolkit(
        fmt::format("{} differs from {}, which it is a copy of by its settings", name, original));
}

void ToolkitParameters::refuse_rest() const {
  std::vector<std::string> rest;
  for (const auto& [name, shape] : shapes_) {
    if (taken_.contains(name)) continue;
    if (!name.ends_with(".pe"))
      rest.push_back(name);
    else if (!is_sinusoid_table(file_->read(name)))
      refuse_model_of_toolkit(fmt::format("{} holds other numbers than sines and cosines", name));
  }
  if (!rest.empty())
    refuse_model_of_toolkit(
        fmt::format("it has parameters of layers that are not converted: {}", joined(rest, ", ")));
}

void ToolkitSide::check_specials(const std::string& name, ToolkitProblems& problems) const {
  std::vector<std::string> missing;
  for (const std::string& token : specials) {
    if (std::ranges::count(tokens, token) == 0) missing.push_back(token);
  }
  if (!missing.empty()) problems.add(fmt::format("{} has no {}", name, joined(missing, ", ")));
}

namespace {

TokenRows rows_of_side(const ToolkitSide& side) {
  std::map<int64_t, std::string> tokens;
  for (size_t id = 0; id < side.tokens.size(); ++id)
    tokens[static_cast<int64_t>(id)] = side.tokens[id];
  const auto id_of = [&side](int32_t special) {
    return std::ranges::find(side.tokens, side.specials.at(special)) - side.tokens.begin();
  };
  return token_rows(
      tokens,
      {.pad = id_of(kPad), .unknown = id_of(kUnknown), .begin = id_of(kBegin), .end = id_of(kEnd)},
      std::ssize(side.tokens), "the vocabulary");
}

}  // namespace

std::vector<int64_t> ToolkitSide::rows() const { return rows_of_side(*this).rows; }

bool equal(const ToolkitSide& a, const ToolkitSide& b) {
  return a.tokens == b.tokens && a.lower == b.lower && a.model.empty() == b.model.empty() &&
         (a.model.empty() || read_file(a.model) == read_file(b.model));
}

std::filesystem::path find_near(const Json& name, const std::filesystem::path& folder) {
  if (!name.is_string()) return {};
  const std::filesystem::path path = name.get<std::string>();
  for (const std::filesystem::path& place : {folder / path.filename(), path}) {
    if (is_plain_file(place)) return place;
  }
  return {};
}

LayerNames operator+(LayerNames a, const LayerNames& b) {
  a.insert(b.begin(), b.end());
  return a;
}

void ToolkitTensors::copy_rows(const std::string& own, const std::string& other,
                               const ToolkitSide& side) {
  const Tensor table = from_.take(other);
  if (table.dim() == 0 || table.size(0) != std::ssize(side.tokens))
    refuse_model_of_toolkit(fmt::format("{} is {}, but its vocabulary has {} tokens", other,
                                        shape_text(table.sizes()), side.tokens.size()));
  add(own, table.index_select(0, torch::tensor(side.rows(), torch::kLong)));
}

void ToolkitTensors::copy_layers(const LayerNames& layers, bool zero_bias) {
  for (const auto& [own, other] : layers) {
    const std::string weight = names::weight(own), bias = names::bias(own);
    copy(weight, other + ".weight");
    if (zero_bias && !from_.has(other + ".bias"))
      add(bias, torch::zeros({tensors_.at(weight).size(0)}));
    else
      copy(bias, other + ".bias");
  }
}

void ToolkitTensors::copy_cell(const std::string& own, const std::string& other,
                               const std::string& suffix) {
  const names::CellNames cell(own);
  const std::pair<std::string, const char*> parameters[] = {{cell.weight_hidden, "weight_hh"},
                                                            {cell.weight_input, "weight_ih"},
                                                            {cell.bias_hidden, "bias_hh"},
                                                            {cell.bias_input, "bias_ih"}};
  const int64_t width = from_.shape(other + ".weight_hh" + suffix)[1];
  for (const auto& [name, torch_name] : parameters) {
    const Tensor tensor = from_.take(fmt::format("{}.{}{}", other, torch_name, suffix));
    add(name, tensor.dim() == 2 ? tensor.reshape({-1, width, tensor.size(1)}) : tensor);
  }
}

void ToolkitTensors::copy_recurrent_encoder(const std::string& other, int64_t layers,
                                            bool bidirectional) {
  const std::string own = names::encoder(kSourceSide);
  for (int64_t i = 0; i < layers; ++i) {
    copy_cell(names::forward_layer(own, i), other, fmt::format("_l{}", i));
    if (bidirectional)
      copy_cell(names::backward_layer(own, i), other, fmt::format("_l{}_reverse", i));
  }
}

void ToolkitTensors::copy_recurrent_decoder(const std::string& other, int64_t layers) {
  for (int64_t i = 0; i < layers; ++i)
    copy_cell(names::layer(names::kDecoder, i), other, fmt::format("_l{}", i));
}

namespace {

void add_side(LoadedModel& model, const std::string& name, const ToolkitSide& side) {
  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<TokenizerConfig> settings;
  if (side.model.empty()) {
    const auto words = make_kind<WordsConfig>("words");
    words->vocabulary.file = name + ".vocabulary";
    settings = words;
    tokenizer = std::make_shared<const WordTokenizer>("", side.lower);
  } else {
    const auto pieces = make_kind<SentencePieceConfig>("sentencepiece");
    pieces->model = name + ".model";
    pieces->vocabulary.emplace().file = name + ".vocabulary";
    pieces->language_code = side.language_codes;
    settings = pieces;
    const std::string file = side.model.string();
    std::string bytes = read_sentencepiece_file(side.model).bytes;
    if (side.cuts_into_tokens) bytes = restricted_sentencepiece(bytes, file, side.tokens);
    tokenizer = with_language(
        std::make_shared<const SentencePieceTokenizer>(std::move(bytes), file, side.lower),
        pieces->line_language());
  }
  settings->lower = side.lower;
  model.config.text[name].tokenizer = settings;
  const TokenRows rows = rows_of_side(side);
  rows.warn_of_replaced(fmt::format("the vocabulary of the {}", name));
  model.codecs[name] =
      std::make_shared<const Codec>(tokenizer, std::make_shared<const Vocabulary>(rows.vocabulary));
}

void share_side(LoadedModel& model) {
  const bool is_words = model.config.text.at(kSourceSide).tokenizer->unit() == std::string("words");
  std::shared_ptr<TokenizerConfig> settings;
  if (is_words)
    settings = make_kind<WordsConfig>("words");
  else
    settings = make_kind<SentencePieceConfig>("sentencepiece");
  settings->share = kSourceSide;
  model.config.text[kTargetSide].tokenizer = settings;
  model.codecs[kTargetSide] = model.codecs.at(kSourceSide);
}

// Throws before memory is taken.
void check_shapes(const SavedModelConfig& config, const VocabularySizes& sizes,
                  const NamedTensors& tensors) {
  const std::shared_ptr<Seq2Seq> outline = model_without_memory(config.model, sizes);
  NamedTensors own = tensors_of(*outline);
  for (const auto& [name, tensor] : own) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) refuse_model_of_toolkit(fmt::format("it has no {}", name));
    if (found->second.sizes() != tensor.sizes())
      refuse_model_of_toolkit(fmt::format("{} is {}, expected {} by its settings", name,
                                          shape_text(found->second.sizes()),
                                          shape_text(tensor.sizes())));
  }
  HEED_CHECK(own.size() == tensors.size(), "{} parameters, {} were read", own.size(),
             tensors.size());
  check_memory(size_of_model(*outline), 1, "to be imported", ErrorKind::kModel);
}

}  // namespace

LoadedModel model_of_toolkit(const ToolkitModel& from) try {
  LoadedModel model;
  read_config_text(from.model.dump(), "model", model.config.model);
  read_config_text(from.search.dump(), "search", model.config.search);
  add_side(model, kSourceSide, from.source);
  if (equal(from.source, from.target))
    share_side(model);
  else
    add_side(model, kTargetSide, from.target);
  const VocabularySizes sizes = vocabulary_sizes(model.config, model.codecs);
  check_shapes(model.config, sizes, from.tensors);
  model.network = std::make_shared<Seq2Seq>(model.config.model, sizes, 0);
  const torch::NoGradGuard no_grad;
  for (auto& [name, tensor] : tensors_of(*model.network)) tensor.copy_(from.tensors.at(name));
  model.network->eval();
  return model;
} catch (const Error& error) {
  if (error.kind() == ErrorKind::kModel) throw;
  refuse_model_of_toolkit(first_mistake(error));
}

}  // namespace heed
