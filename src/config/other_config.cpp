#include "config/other_config.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace heed {

namespace {

bool has_two_of(const Node& config, std::initializer_list<const char*> keys) {
  return std::ranges::count_if(keys,
                               [&](const char* key) { return config.find(key) != nullptr; }) >= 2;
}

bool is_of_opennmt(const Node& config) {
  if (has_two_of(config, {"save_data", "save_model", "src_vocab", "tgt_vocab", "encoder_type",
                          "decoder_type", "train_steps", "valid_steps", "rnn_size", "hidden_size",
                          "word_vec_size", "world_size", "gpu_ranks", "transforms"}))
    return true;
  const Node* data = config.find("data");
  return data != nullptr && std::ranges::any_of(data->entries, [](const Node::Entry& corpus) {
           return corpus.value.find("path_src") != nullptr;
         });
}

bool is_of_joey(const Node& config) {
  const Node* data = config.find("data");
  const bool has_languages =
      data != nullptr && (data->find("src") != nullptr || data->find("trg") != nullptr);
  return config.find("training") != nullptr &&
         (has_languages || config.find("name") != nullptr || config.find("testing") != nullptr);
}

bool is_of_marian(const Node& config) {
  return has_two_of(
      config, {"train-sets", "valid-sets", "vocabs", "dim-emb", "dim-rnn", "dim-vocabs",
               "enc-depth", "dec-depth", "mini-batch", "mini-batch-fit", "valid-freq", "save-freq",
               "disp-freq", "after-epochs", "early-stopping", "learn-rate", "cost-type"});
}

// `key:` or `key: value`, or the same in quotes or in a list.
bool is_setting(std::string_view line) {
  constexpr std::string_view kBefore = " \t-'\"{", kQuotes = "'\"";
  line.remove_prefix(std::min(line.find_first_not_of(kBefore), line.size()));
  size_t end = 0;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                               line[end] == '_' || line[end] == '-' || line[end] == '.'))
    ++end;
  if (end == 0) return false;
  if (end < line.size() && kQuotes.find(line[end]) != std::string_view::npos) ++end;
  return end < line.size() && line[end] == ':' &&
         (end + 1 == line.size() || line[end + 1] == ' ' || line[end + 1] == '\t' ||
          line[end + 1] == '\r');
}

}  // namespace

const char* toolkit_of(const Node& config) {
  if (config.find("run") != nullptr) return nullptr;  // a key of heed, and of none of them
  if (is_of_opennmt(config)) return "OpenNMT-py";
  if (is_of_joey(config)) return "JoeyNMT";
  return is_of_marian(config) ? "Marian" : nullptr;
}

bool has_no_keys(std::string_view text) {
  constexpr int kLines = 200;
  bool has_lines = false;
  for (int i = 0; i < kLines && !text.empty(); ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t start = line.find_first_not_of(" \t\r");
    has_lines = has_lines || (start != std::string_view::npos && line[start] != '#');
    if (is_setting(line)) return false;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return has_lines;
}

}  // namespace heed
