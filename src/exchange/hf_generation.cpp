#include "exchange/hf_generation.h"

#include <algorithm>
#include <string_view>

#include "base/log.h"
#include "config/sizes.h"

namespace heed {

namespace {

// Keys of GenerationConfig (transformers 5.24 and those before it) by what becomes of them.
constexpr std::string_view kRead[] = {"num_beams",
                                      "length_penalty",
                                      "max_length",
                                      "max_new_tokens",
                                      "min_length",
                                      "min_new_tokens",
                                      "no_repeat_ngram_size",
                                      "repetition_penalty",
                                      "bad_words_ids",
                                      "suppress_tokens",
                                      "begin_suppress_tokens",
                                      "renormalize_logits",
                                      "forced_bos_token_id"};
// Caches, outputs, and faster ways to the same text.
constexpr std::string_view kWithoutEffect[] = {"_commit_hash",
                                               "_from_model_config",
                                               "_original_object_hash",
                                               "assistant_confidence_threshold",
                                               "assistant_early_exit",
                                               "assistant_ensemble_weight",
                                               "assistant_lookbehind",
                                               "bos_token_id",
                                               "cache_config",
                                               "cache_implementation",
                                               "compile_config",
                                               "continuous_batching_config",
                                               "decoder_start_token_id",
                                               "disable_compile",
                                               "eos_token_id",
                                               "is_assistant",
                                               "low_memory",
                                               "max_cache_len",
                                               "max_matching_ngram_size",
                                               "num_assistant_tokens",
                                               "num_assistant_tokens_schedule",
                                               "output_attentions",
                                               "output_hidden_states",
                                               "output_logits",
                                               "output_scores",
                                               "pad_token_id",
                                               "prefill_chunk_size",
                                               "prompt_lookup_num_tokens",
                                               "remove_invalid_values",
                                               "return_dict_in_generate",
                                               "return_legacy_cache",
                                               "speculation_type",
                                               "target_lookbehind",
                                               "transformers_version",
                                               "use_cache",
                                               "use_mtp"};
// Read only where do_sample is true.
constexpr std::string_view kOfSampling[] = {"epsilon_cutoff", "eta_cutoff", "min_p", "temperature",
                                            "top_h",          "top_k",      "top_p", "typical_p"};
struct Default {
  std::string_view key;
  const char* value;  // JSON, by which the setting changes nothing; null: any value changes it
};
constexpr Default kLeftOut[] = {{"constraints", "null"},
                                {"diversity_penalty", "0"},
                                {"do_sample", "false"},
                                {"dola_layers", "null"},
                                {"early_stopping", "false"},
                                {"encoder_no_repeat_ngram_size", "0"},
                                {"encoder_repetition_penalty", "1"},
                                {"exponential_decay_length_penalty", "null"},
                                {"force_words_ids", "null"},
                                {"guidance_scale", "1"},
                                {"max_time", "null"},
                                {"num_beam_groups", "1"},
                                {"num_return_sequences", "1"},
                                {"penalty_alpha", "0"},
                                {"sequence_bias", "null"},
                                {"stop_strings", "null"},
                                {"token_healing", "false"},
                                {"watermarking_config", "null"}};
// Defaults of the keys in kRead.
constexpr Default kReadDefaults[] = {
    {"length_penalty", "1"},        {"max_length", "20"}, {"min_length", "0"},
    {"no_repeat_ngram_size", "0"},  {"num_beams", "1"},   {"repetition_penalty", "1"},
    {"renormalize_logits", "false"}};

template <class List>
bool has(const List& list, std::string_view key) {
  return std::ranges::count(list, key) > 0;
}

template <class List>
const Default* default_of(const List& list, std::string_view key) {
  const auto found = std::ranges::find(list, key, &Default::key);
  return found == std::end(list) ? nullptr : &*found;
}

// The maximum and minimum lengths there count the first input of the decoder; new tokens count the
// language that is forced.
void read_lengths(JsonSettings& file, const std::string& name, bool forces_language,
                  SearchConfig& search) {
  constexpr int64_t kUsualLongest = 512;
  if (!file.has("max_length") && !file.has("max_new_tokens"))
    spdlog::info("{}: says nothing of max_length; expected translations of {} tokens at most", name,
                 kUsualLongest);
  const int64_t longest = file.whole("max_length", kUsualLongest, {3});
  const int64_t most_new = file.whole("max_new_tokens", longest - 1, {2});
  search.max_length_ratio = 0;
  // Without forced_eos_token_id a translation of the maximum length has no end there.
  const int64_t most = most_new - (file.has("forced_eos_token_id") ? 1 : 0);
  if (most > kLengths.high)
    spdlog::warn("{}: translations have at most {} tokens by {}; heed's search ends after {}", name,
                 most, file.has("max_new_tokens") ? "max_new_tokens" : "max_length", kLengths.high);
  search.max_length_extra = std::min(most, kLengths.high);
  const int64_t least = file.whole("min_length", 0, kLengthsOrNone);
  const int64_t least_new = file.whole("min_new_tokens", 0, kLengthsOrNone);
  search.min_new_tokens = std::max<int64_t>(0, least_new - (forces_language ? 1 : 0));
  // min_new_tokens replaces min_length there.
  if (!file.has("min_new_tokens")) search.min_length = std::max<int64_t>(0, least - 1);
}

// Takes the penalty over where heed has the same one: of log-probabilities, 1 or more.
void read_repetition_penalty(JsonSettings& file, const std::string& name, bool begins_with_end,
                             HfGeneration& to) {
  const double theta = file.real("repetition_penalty", 1, {0, 100, true});
  if (theta == 1) return;
  if (theta < 1) {
    spdlog::warn(
        "{}: repetition_penalty is {}, which prefers repeated tokens; it is left out, as heed's "
        "search has penalties of 1 or more",
        name, theta);
    return;
  }
  to.search.repetition_penalty = theta;
  if (to.search.beam == 1)
    spdlog::warn(
        "{}: repetition_penalty is {} and num_beams 1; transformers applies it to logits then, "
        "heed to log-probabilities, as in beam search, so that translations can differ",
        name, theta);
  if (begins_with_end)
    spdlog::warn(
        "{}: repetition_penalty is {}; in transformers the end, with which the decoder begins, has "
        "the penalty too, in heed it has not, so that translations can differ",
        name, theta);
}

// generate() leaves the end out of bad_words_ids.
void read_banned_tokens(JsonSettings& file, const std::string& name, int64_t end_id,
                        HfGeneration& to) {
  std::vector<std::vector<int64_t>> sequences;
  for (const auto& ids : file.id_lists("bad_words_ids")) {
    if (ids.size() > 1)
      sequences.push_back(ids);
    else if (ids.front() != end_id)
      to.banned.push_back(ids.front());
  }
  if (!sequences.empty())
    spdlog::warn(
        "{}: bad_words_ids has sequences of several tokens, which are left out, as heed's search "
        "has no setting for them; `heed translate --avoid` takes such phrases: {}",
        name, Json(sequences).dump());
  for (const int64_t id : file.ids("suppress_tokens")) to.banned.push_back(id);
  to.banned_first = file.ids("begin_suppress_tokens");
}

void warn_of_renormalization(const std::string& name, const HfGeneration& read) {
  if (!read.renormalizes) return;
  const SearchConfig& search = read.search;
  std::vector<std::string> with;
  if (search.no_repeat_ngram > 0) with.emplace_back("no_repeat_ngram_size");
  if (search.repetition_penalty != 1) with.emplace_back("repetition_penalty");
  if (search.min_length > 0) with.emplace_back("min_length");
  if (search.min_new_tokens > 0) with.emplace_back("min_new_tokens");
  if (!read.banned_first.empty()) with.emplace_back("begin_suppress_tokens");
  if (!with.empty())
    spdlog::warn(
        "{}: renormalize_logits is true; transformers normalizes log-probabilities again after "
        "{}, heed does not, so that scores and translations can differ",
        name, fmt::join(with, ", "));
}

void warn_of_others(const JsonSettings& file, const std::string& name, bool samples) {
  std::map<std::string, Json> left_out, unknown;
  for (const auto& [key, value] : file.others()) {
    if (has(kWithoutEffect, key) || (has(kOfSampling, key) && !samples)) continue;
    if (!is_generation_key(key))
      unknown[key] = value;
    else if (!is_generation_default(key, value))
      left_out[key] = value;
  }
  if (!left_out.empty())
    spdlog::warn(
        "{}: settings that heed's search does not have are left out, so that its translations can "
        "differ from those of transformers: {}",
        name, settings_text(left_out));
  if (!unknown.empty() && name == kHfGeneration)
    spdlog::warn("{}: unknown settings are left out: {}", name, settings_text(unknown));
}

}  // namespace

bool is_generation_key(const std::string& key) {
  return has(kRead, key) || has(kWithoutEffect, key) || has(kOfSampling, key) ||
         key == "forced_eos_token_id" || default_of(kLeftOut, key) != nullptr;
}

bool is_generation_default(const std::string& key, const Json& value) {
  if (value.is_null() || has(kWithoutEffect, key) || key == "forced_eos_token_id") return true;
  const Default* found = default_of(kLeftOut, key);
  if (found == nullptr) found = default_of(kReadDefaults, key);
  return found != nullptr && value == Json::parse(found->value);
}

std::string settings_text(const std::map<std::string, Json>& settings) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : settings)
    texts.push_back(fmt::format("{} ({})", key, value.dump()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

HfGeneration read_hf_generation(JsonSettings& file, const std::string& name,
                                const HfDecoder& decoder) {
  HfGeneration read;
  SearchConfig& search = read.search;
  search.beam = file.whole("num_beams", 1, kBeams);
  search.length_penalty = file.real("length_penalty", 1, {0, 100});
  search.length_normalization = LengthNormalization::kPlain;
  search.no_repeat_ngram = file.whole("no_repeat_ngram_size", 0, kLengthsOrNone);
  if (search.no_repeat_ngram == 1 && decoder.begin_id == decoder.end_id)
    spdlog::warn(
        "{}: no_repeat_ngram_size is 1; in transformers the end, with which the decoder begins, is "
        "banned too and translations have the maximum length, in heed they end",
        name);
  if (file.has("forced_bos_token_id")) read.forced_begin = file.id("forced_bos_token_id");
  read_lengths(file, name, decoder.begins_with_token || read.forced_begin.has_value(), search);
  read_repetition_penalty(file, name, decoder.begin_id == decoder.end_id, read);
  read_banned_tokens(file, name, decoder.end_id, read);
  read.renormalizes = file.truth("renormalize_logits", false);
  warn_of_renormalization(name, read);
  warn_of_others(file, name, file.truth("do_sample", false));
  if (file.truth("do_sample", false))
    spdlog::warn(
        "{}: do_sample is true; heed translates by search unless `heed translate --sample` is "
        "given, with --temperature, --top-k and --top-p",
        name);
  return read;
}

}  // namespace heed
