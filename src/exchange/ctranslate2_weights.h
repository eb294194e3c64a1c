// The variables of a Transformer of CTranslate2 by the names of its newest revision, as numbers of
// float32, and which of them were taken.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exchange/ctranslate2_reader.h"

namespace heed {

class CTranslate2Weights {
 public:
  // Throws Error(kModel) unless it is a model.bin of a TransformerSpec that CTranslate2 4 reads.
  explicit CTranslate2Weights(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return reader_.path(); }
  uint32_t version() const { return reader_.version(); }
  bool has(const std::string& name) const { return names_.contains(name); }
  // True if the name of a variable begins so.
  bool has_below(const std::string& beginning) const;
  std::vector<std::string> names() const;
  std::vector<int64_t> shape(const std::string& name) const;  // Error(kModel) if it is missing
  torch::ScalarType type(const std::string& name) const;      // the same
  // Quantized weights as CTranslate2 dequantizes them: int8 by the scale of each row, int16 by that
  // of all. Throws Error(kModel) where the variable is missing, of another shape, has no scale, or
  // numbers that are not finite.
  Tensor take(const std::string& name, const std::vector<int64_t>& shape);
  // Rows and columns of a matrix; Error(kModel) if it is missing or none.
  int64_t rows(const std::string& name) const { return matrix(name)[0]; }
  int64_t columns(const std::string& name) const { return matrix(name)[1]; }
  // A scalar; nullopt if it is missing.
  std::optional<double> number(const std::string& name);
  // The same, from 1 on. Throws Error(kModel) for another number.
  int64_t whole(const std::string& name, int64_t otherwise);
  // A text; before version 6 of the format, which has config.json.
  std::string text(const std::string& name, const std::string& otherwise);
  // Names of variables and aliases that were not taken.
  std::vector<std::string> rest() const;

 private:
  // In the file.
  const std::string& stored_name(const std::string& name) const;
  std::vector<int64_t> matrix(const std::string& name) const;
  Tensor read(const std::string& name);
  Tensor dequantized(const std::string& name, const Tensor& numbers);

  CTranslate2Reader reader_;
  std::map<std::string, std::string> names_;  // and what they are in the file
  std::set<std::string> taken_;
  std::map<std::string, double> implied_;  // scalars of old revisions that are not in the file
};

}  // namespace heed
