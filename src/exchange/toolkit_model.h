// The parts of a model that is imported from a checkpoint of another toolkit, and the model of heed
// that they make.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "config/settings.h"
#include "exchange/json_file.h"
#include "exchange/tensor_file.h"
#include "model/saved_model.h"

namespace heed {

// Throws the reason why a model is not imported; import_toolkit_model() adds the model.
[[noreturn]] void refuse_model_of_toolkit(const std::string& reason);
// Calls work(), which throws such reasons.
LoadedModel import_toolkit_model(const std::filesystem::path& model,
                                 const std::function<LoadedModel()>& work);

// Returns the value of a key of an object, and `fallback` for a missing key or null.
Json setting(const Json& object, const std::string& key, const Json& fallback = nullptr);
// True unless a value is null, false, 0 or empty.
bool is_set(const Json& value);

// Settings that heed has no form for.
class ToolkitProblems {
 public:
  void add(const std::string& problem) { problems_.push_back(problem); }
  // Adds a problem unless `found` is one of the expected values.
  void expect(const std::string& key, const Json& found, std::initializer_list<Json> expected);
  void refuse_if_any() const;

 private:
  std::vector<std::string> problems_;
};

// Reads settings of search in a file of another toolkit, and collects what is wrong, each with its line
// and its key there.
class ToolkitSearchReader {
 public:
  // section: "" for the whole file. file: has to outlive the reader.
  ToolkitSearchReader(const YamlFile& file, const std::string& section);
  int64_t whole(const std::string& key, int64_t otherwise, IntRange range);
  double real(const std::string& key, double otherwise, Range range);
  bool flag(const std::string& key, bool otherwise);
  // Keys with values that were not read.
  Json others() const;
  void refuse_if_any() const { problems_.refuse_if_any(); }

 private:
  Json take(const std::string& key, const Json& otherwise);
  void add_problem(const std::string& key, const std::string& expected);

  const YamlFile& file_;
  std::string prefix_;
  Json values_;
  std::set<std::string> read_;
  ToolkitProblems problems_;
};

// The parameters of a checkpoint. Each has to be taken.
class ToolkitParameters {
 public:
  explicit ToolkitParameters(std::unique_ptr<TensorFile> file);
  bool has(const std::string& name) const { return shapes_.contains(name); }
  // Shape of a matrix. Refuses the model if there is none of this name.
  std::vector<int64_t> shape(const std::string& name) const;
  // Refuses the model if there is none of this name, or if its shape is none of these, of which the
  // message has the first.
  void expect_shape(const std::string& name,
                    std::initializer_list<std::vector<int64_t>> expected) const;
  // Reads a parameter in float32. Refuses the model if it is missing or has whole numbers or numbers
  // that are not finite.
  Tensor take(const std::string& name);
  // Takes a parameter that is a copy of another one. Refuses the model if it differs.
  void take_copy(const std::string& name, const std::string& original);
  // Refuses the model if parameters were not taken: layers that heed does not have. Tables of
  // positions (….pe) are computed; refuses others than sines and cosines.
  void refuse_rest() const;

 private:
  const std::vector<int64_t>& any_shape(const std::string& name) const;

  std::unique_ptr<TensorFile> file_;
  std::map<std::string, std::vector<int64_t>> shapes_;
  std::set<std::string> taken_;
};

// Source or target: tokens by id, the special ones in the order of heed's ids, and the file of the
// SentencePiece model, empty for words.
struct ToolkitSide {
  std::vector<std::string> tokens, specials;
  std::filesystem::path model{};
  bool cuts_into_tokens = false;  // SentencePiece uses only pieces that are tokens
  bool lower = false;
  bool language_codes = false;  // a line may begin with a token such as >>deu<<

  // Adds a problem for special tokens that are missing. name: of the vocabulary.
  void check_specials(const std::string& name, ToolkitProblems& problems) const;
  // Rows in the embedding, by ids of heed.
  std::vector<int64_t> rows() const;
};
bool equal(const ToolkitSide& a, const ToolkitSide& b);
// A file by the name that a config has for it: in the folder of the model, or where it was. Empty if
// it is in neither.
std::filesystem::path find_near(const Json& name, const std::filesystem::path& folder);

// Weight and bias of layers, by their names in heed and in the other toolkit.
using LayerNames = std::map<std::string, std::string>;
LayerNames operator+(LayerNames a, const LayerNames& b);

// Takes parameters, and writes them under the names of heed.
class ToolkitTensors {
 public:
  explicit ToolkitTensors(ToolkitParameters& from) : from_(from) {}
  void add(const std::string& own, const Tensor& tensor) { tensors_[own] = tensor; }
  void copy(const std::string& own, const std::string& other) { add(own, from_.take(other)); }
  // A table or bias of the tokens of a side. Refuses the model unless it has a row for each.
  void copy_rows(const std::string& own, const std::string& other, const ToolkitSide& side);
  // Weights and biases. zero_bias: a missing bias is 0.
  void copy_layers(const LayerNames& layers, bool zero_bias = false);
  // A recurrent cell of PyTorch; heed has a dimension for the gates.
  void copy_cell(const std::string& own, const std::string& other, const std::string& suffix = "");
  // The layers of an nn.LSTM or nn.GRU, which is the encoder or the decoder.
  void copy_recurrent_encoder(const std::string& other, int64_t layers, bool bidirectional);
  void copy_recurrent_decoder(const std::string& other, int64_t layers);
  NamedTensors take() { return std::move(tensors_); }

 private:
  ToolkitParameters& from_;
  NamedTensors tensors_;
};

struct ToolkitModel {
  ToolkitSide source, target;
  Json model, search;  // the keys of a config
  NamedTensors tensors;
};
LoadedModel model_of_toolkit(const ToolkitModel& from);

}  // namespace heed
