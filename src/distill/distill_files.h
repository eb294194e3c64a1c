// Files of a distillation.
#pragma once

#include <filesystem>
#include <string>

#include "distill/source_text.h"

namespace heed {

struct DistillFiles {
  std::filesystem::path folder;

  std::filesystem::path run(const std::string& stage) const { return folder / stage; }
  // A translation of further target text.
  std::filesystem::path translated_back(const std::string& name) const {
    return folder / "back_translation" / name;
  }
  // All text that the teacher translates, and the pairs of data.train alone.
  TextAndReference text() const { return {folder / "text/source", folder / "text/reference"}; }
  TextAndReference references() const {
    return {folder / "text/pairs.source", folder / "text/pairs.target"};
  }
  TextAndReference test(const std::string& name) const {
    return {folder / "tests" / (name + ".source"), folder / "tests" / (name + ".reference")};
  }
  std::filesystem::path nbest() const { return folder / "translation/nbest.jsonl"; }
  // The text with the translation of each line, and their log-probabilities by both models.
  TextAndReference translated() const { return {text().source, folder / "choice/target"}; }
  std::filesystem::path scores() const { return folder / "choice/scores"; }
  std::filesystem::path reverse_scores() const { return folder / "scores/reverse"; }
  std::filesystem::path filter_settings() const { return folder / "filter/filters.yaml"; }
  TextAndReference filtered() const { return {folder / "filter/source", folder / "filter/target"}; }
  std::filesystem::path rejected() const { return folder / "filter/rejected.tsv"; }
  std::filesystem::path lexicon() const { return folder / "pack/lexicon"; }
  std::filesystem::path packed() const { return folder / "student.heed"; }
  // A model's translations of a test set, and the time that they took.
  std::filesystem::path evaluation() const { return folder / "evaluation"; }
  std::filesystem::path translations(const std::string& model, const std::string& test) const {
    return evaluation() / (model + "." + test);
  }
  std::filesystem::path seconds(const std::string& model, const std::string& test) const {
    return evaluation() / (model + "." + test + ".seconds");
  }
};

}  // namespace heed
