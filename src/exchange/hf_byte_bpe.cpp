#include "exchange/hf_byte_bpe.h"

#include "base/error.h"
#include "base/file.h"
#include "exchange/added_tokens.h"

namespace heed {

namespace {

constexpr const char *kBpeVocabulary = "vocab.json", *kBpeMerges = "merges.txt",
                     *kBpeTokenizer = "tokenizer.json";

Json value_at(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) ? json[key] : Json();
}

[[noreturn]] void refuse_byte_bpe(const fs::path& file, const std::string& problem) {
  throw_error(ErrorKind::kModel, "{}: {}, expected the byte-level BPE of BartTokenizer",
              file.string(), problem);
}

// "Ġ a", or ["Ġ", "a"].
std::string bpe_merge_text(const Json& merge, const fs::path& file) {
  if (merge.is_string()) return merge.get<std::string>();
  if (!merge.is_array() || merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string())
    refuse_byte_bpe(file, fmt::format("model.merges has {}", merge.dump()));
  return merge[0].get<std::string>() + " " + merge[1].get<std::string>();
}

// {"model": {"type": "BPE", "vocab": {"token": id, …}, "merges": […]}, "added_tokens": […]}
HfByteBpe read_bpe_tokenizer(const fs::path& file) {
  const Json json = read_object(file), model = value_at(json, "model"),
             merges = value_at(model, "merges"), vocabulary = value_at(model, "vocab"),
             splitting = value_at(json, "pre_tokenizer");
  if (value_at(model, "type") != "BPE" || !merges.is_array() || !vocabulary.is_object())
    refuse_byte_bpe(file, fmt::format("model.type is {}", value_at(model, "type").dump()));
  if (value_at(splitting, "type") != "ByteLevel" || value_at(splitting, "use_regex") == false)
    refuse_byte_bpe(file, fmt::format("pre_tokenizer is {}", splitting.dump()));
  if (!value_at(json, "normalizer").is_null())
    refuse_byte_bpe(file, fmt::format("normalizer is {}", value_at(json, "normalizer").dump()));
  HfByteBpe read{file, file, {}, "#version: 0.2\n"};
  const auto add = [&](const std::string& token, const Json& id) {
    if (!id.is_number_unsigned())
      refuse_byte_bpe(file, fmt::format("the id of '{}' is {}", token, id.dump()));
    const auto [own, is_new] = read.tokens.emplace(id.get<int64_t>(), token);
    if (!is_new && own->second != token)
      refuse_byte_bpe(file,
                      fmt::format("'{}' and '{}' have the id {}", own->second, token, own->first));
  };
  for (const auto& [token, id] : vocabulary.items()) add(token, id);
  for (const Json& token : value_at(json, "added_tokens"))
    add(content_of(token), value_at(token, "id"));
  for (const Json& merge : merges) read.merges += bpe_merge_text(merge, file) + "\n";
  return read;
}

}  // namespace

bool has_byte_bpe(const fs::path& folder) {
  if (is_plain_file(folder / "source.spm")) return false;
  return is_plain_file(folder / kBpeMerges) || is_plain_file(folder / kBpeTokenizer);
}

HfByteBpe read_byte_bpe(const fs::path& folder) {
  HfByteBpe read;
  if (is_plain_file(folder / kBpeMerges) && is_plain_file(folder / kBpeVocabulary))
    read = {folder / kBpeVocabulary, folder / kBpeMerges, read_token_ids(folder / kBpeVocabulary),
            read_file(folder / kBpeMerges)};
  else if (is_plain_file(folder / kBpeTokenizer))
    read = read_bpe_tokenizer(folder / kBpeTokenizer);
  else
    throw_error(ErrorKind::kModel, "{}: has no {}; copy it from the original of the model",
                folder.string(), kBpeVocabulary);
  for (const auto& [id, token] : read_added_tokens(folder)) {
    const auto [own, is_new] = read.tokens.emplace(id, token);
    if (own->second != token)
      throw_error(ErrorKind::kModel,
                  "{}: the id {} is that of '{}', but by {} or {} of '{}'; the files are of "
                  "different models",
                  read.vocabulary.string(), id, own->second, kHfAddedTokens, kHfTokenizer, token);
  }
  for (auto& [id, token] : read.tokens) {
    if (token == "<s>" || token == "<mask>")
      token = fmt::format(">>{}<<", token.substr(1, token.size() - 2));
  }
  return read;
}

}  // namespace heed
