// Options of `heed import`.
#pragma once

#include <string>

namespace heed {

// A model of another toolkit that is converted to a model of heed.
struct ImportOptions {
  static constexpr const char* kEntry = "heed_import";  // of the library with tensors
  enum class Format { kHf, kJoeynmt, kOpennmt, kCTranslate2, kMarian };
  Format format = Format::kHf;
  std::string model;                             // its folder, or a file
  std::string output;                            // folder of the new model
  std::string source_language, target_language;  // codes; of models of many languages
  std::string source_spm, target_spm;            // SentencePiece models; "": searched for
  std::string source_vocab, target_vocab;        // vocabularies; "": searched for
  bool tokenized = false;                        // text is tokens between spaces
  std::string source_end;                        // yes or no; "": as the model says
};

}  // namespace heed
