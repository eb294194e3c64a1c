#include "text/codecs.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "text/features.h"
#include "text/line_language.h"
#include "text/marker.h"
#include "text/words.h"

namespace heed {

namespace {

// Lines of every side that uses the codec of `owner`, one side after the other.
LineSource joint_lines(const TextConfigs& text, const std::string& owner,
                       const std::map<std::string, LineSource>& lines) {
  std::vector<LineSource> parts;
  for (const auto& [side, config] : text) {
    if (owner_of(text, side) != owner) continue;
    const auto found = lines.find(side);
    HEED_CHECK(found != lines.end(), "no training text for side '{}'", side);
    parts.push_back(found->second);
  }
  return [parts](const std::function<void(std::string_view)>& take) {
    for (const LineSource& part : parts) part(take);
  };
}

// Pieces of `former`, followed by the pieces of `counted` that it lacks.
Vocabulary extended(const Vocabulary& former, const Vocabulary& counted) {
  std::vector<std::string> pieces;
  for (int32_t id = kSpecials; id < former.size(); ++id) pieces.push_back(former.piece(id));
  for (int32_t id = kSpecials; id < counted.size(); ++id) {
    if (former.id(counted.piece(id)) == kUnknown) pieces.push_back(counted.piece(id));
  }
  return Vocabulary(pieces);
}

// Counts a vocabulary. The pieces of `former` come first, if given.
Vocabulary count_vocabulary(const Tokenizer& tokenizer, const LineSource& lines,
                            const VocabularyConfig& config, const std::string& side,
                            const Vocabulary* former) {
  const auto with_former = [&](Vocabulary vocabulary) {
    if (former == nullptr) return vocabulary;
    Vocabulary all = extended(*former, vocabulary);
    spdlog::info("text.{}: {} tokens of the vocabulary of init.model, {} new", side,
                 format_count(former->size() - kSpecials),
                 format_count(all.size() - former->size()));
    return all;
  };
  if (config.file) return with_former(Vocabulary::load(*config.file));
  std::map<std::string, int64_t> counts;
  int64_t total = 0, covered = 0;
  lines([&](std::string_view line) {
    for (const std::string& piece : tokenizer.encode(line)) ++counts[piece];
  });
  Vocabulary vocabulary =
      with_former(Vocabulary::from_counts(counts, config.max_size.value_or(0), config.min_count));
  for (const auto& [piece, count] : counts) {
    total += count;
    if (vocabulary.id(piece) >= kSpecials) covered += count;
  }
  if (vocabulary.size() == kSpecials) {
    throw_error(ErrorKind::kData,
                "text.{}: the vocabulary is empty: {} tokens in the training text, {} distinct; "
                "lower vocabulary.min_count or give more text",
                side, format_count(total), format_count(static_cast<int64_t>(counts.size())));
  }
  if (covered < total) {
    spdlog::info("text.{}: the vocabulary covers {:.2f}% of the training text", side,
                 100.0 * static_cast<double>(covered) / static_cast<double>(total));
  }
  return vocabulary;
}

void warn_if_small(const std::string& side, const TokenizerConfig& config,
                   const Vocabulary& vocabulary) {
  const auto wanted = config.wanted_size();
  if (wanted && vocabulary.size() < *wanted) {
    spdlog::warn("text.{}: vocabulary size {}, but the training text yields only {}", side, *wanted,
                 vocabulary.size());
  }
}

// Refuses a vocabulary without the opening piece, because a line would begin with <unk>.
void check_opening(const std::string& side, const Tokenizer& tokenizer,
                   const Vocabulary& vocabulary) {
  if (tokenizer.opening().empty() || vocabulary.id(tokenizer.opening()) != kUnknown) return;
  throw_error(ErrorKind::kData,
              "text.{}.language: {} is not in the vocabulary; give the code of a language that is",
              side, tokenizer.opening());
}

// Finds how the words of the text are written, from its first lines.
WordUnit find_word_unit(const std::string& side, const LineSource& lines) {
  constexpr int64_t kLines = 100'000;
  struct Enough {};  // ends the reading
  WordUnitSurvey survey;
  int64_t count = 0;
  try {
    lines([&](std::string_view line) {
      if (++count > kLines) throw Enough();
      survey.add(line);
    });
  } catch (const Enough&) {
  }
  if (survey.unit() == WordUnit::kCharacters)
    spdlog::info(
        "text.{}: has no spaces between words; in alignments, labels and edges each character of "
        "Chinese, Japanese, Thai and the like is a word",
        side);
  return survey.unit();
}

std::filesystem::path words_file(const std::filesystem::path& folder, const std::string& name) {
  return folder / (name + ".words");
}

constexpr const char *kBySpaces = "spaces\n", *kByCharacters = "characters\n";

WordUnit load_word_unit(const std::filesystem::path& file) {
  if (!is_there(file)) return WordUnit::kByLine;
  const std::string text = read_file(file);
  if (text == kBySpaces) return WordUnit::kSpaces;
  if (text == kByCharacters) return WordUnit::kCharacters;
  throw_error(ErrorKind::kModel, "{}: expected the line spaces or characters; copy it again",
              file.string());
}

// The tokenizer with the language, the feature labels and the markers of its lines.
std::shared_ptr<const Tokenizer> completed(std::shared_ptr<const Tokenizer> tokenizer,
                                           const TokenizerConfig& config) {
  return with_marker(
      with_features(with_language(std::move(tokenizer), config.line_language()), config.features),
      config.marker);
}

std::shared_ptr<const Codec> build_codec(const TextConfigs& text, const std::string& side,
                                         const std::map<std::string, LineSource>& lines,
                                         uint64_t seed, const Codecs& former) {
  TokenizerConfig& config = *text.at(side).tokenizer;
  const LineSource source = joint_lines(text, side, lines);
  const std::shared_ptr<Tokenizer> learned = config.make(parts_of(source, config.marker), seed);
  if (!config.splits_at_spaces()) learned->set_word_unit(find_word_unit(side, source));
  const std::shared_ptr<const Tokenizer> tokenizer = completed(learned, config);
  const VocabularyConfig* counting = config.vocabulary_config();
  const auto earlier = former.find(side);
  Vocabulary made =
      counting
          ? count_vocabulary(*tokenizer, source, *counting, side,
                             earlier == former.end() ? nullptr : &earlier->second->vocabulary())
          : Vocabulary(tokenizer->own_pieces());
  const auto vocabulary = std::make_shared<const Vocabulary>(std::move(made));
  if (tokenizer->marks() && vocabulary->id(kMarkerPiece) == kUnknown) {
    throw_error(ErrorKind::kData,
                "text.{}: the marker does not occur in the training text or is not in the "
                "vocabulary; give the separator that the files use, or none",
                side);
  }
  check_opening(side, *tokenizer, *vocabulary);
  warn_if_small(side, config, *vocabulary);
  return std::make_shared<const Codec>(tokenizer, vocabulary);
}

std::filesystem::path vocabulary_file(const std::filesystem::path& folder,
                                      const std::string& name) {
  return folder / (name + ".vocabulary");
}

// Reports errors of files as errors of the model that they belong to.
template <class Load>
auto load_of_model(Load load) try {
  return load();
} catch (const Error& error) {
  const auto* io = dynamic_cast<const IoError*>(&error);
  if (io != nullptr && !io->is_about_the_file()) throw;
  throw Error(ErrorKind::kModel, error.what());
}

std::shared_ptr<const Codec> load_codec(const std::filesystem::path& folder,
                                        const std::string& side, TokenizerConfig& config) {
  return load_of_model([&] {
    const std::shared_ptr<Tokenizer> loaded = config.load(folder, side);
    if (!config.splits_at_spaces()) loaded->set_word_unit(load_word_unit(words_file(folder, side)));
    const std::shared_ptr<const Tokenizer> tokenizer = completed(loaded, config);
    const auto vocabulary = std::make_shared<const Vocabulary>(
        config.vocabulary_config() ? Vocabulary::load_saved(vocabulary_file(folder, side))
                                   : Vocabulary(tokenizer->own_pieces()));
    check_opening(side, *tokenizer, *vocabulary);
    return std::make_shared<const Codec>(tokenizer, vocabulary);
  });
}

std::shared_ptr<const Codec> label_codec(Vocabulary labels) {
  return std::make_shared<const Codec>(std::make_shared<const WordTokenizer>("", /*lower=*/false),
                                       std::make_shared<const Vocabulary>(std::move(labels)));
}

// Makes one codec for each side that does not share another's. Sides that share get the same codec.
template <class Make>
Codecs for_each_owner(const TextConfigs& text, Make make) {
  Codecs codecs;
  for (const auto& [side, unused] : text) {
    const std::string& owner = owner_of(text, side);
    if (!codecs.contains(owner)) codecs[owner] = make(owner);
    codecs[side] = codecs.at(owner);
  }
  return codecs;
}

}  // namespace

Codecs build_codecs(const TextConfigs& text, const std::map<std::string, LineSource>& lines,
                    uint64_t seed, const Codecs& former) {
  return for_each_owner(
      text, [&](const std::string& side) { return build_codec(text, side, lines, seed, former); });
}

void save_codecs(const std::filesystem::path& folder, const TextConfigs& text,
                 const Codecs& codecs) {
  for (const auto& [side, config] : text) {
    if (owner_of(text, side) != side) continue;
    const Codec& codec = *codecs.at(side);
    codec.tokenizer().save(folder, side);
    codec.vocabulary().save(vocabulary_file(folder, side));
    const WordUnit unit = codec.tokenizer().word_unit();
    if (config.tokenizer->splits_at_spaces() || unit == WordUnit::kByLine) continue;
    write_file(words_file(folder, side), unit == WordUnit::kSpaces ? kBySpaces : kByCharacters);
  }
}

Codecs load_codecs(const std::filesystem::path& folder, const TextConfigs& text) {
  return for_each_owner(text, [&](const std::string& side) {
    return load_codec(folder, side, *text.at(side).tokenizer);
  });
}

std::shared_ptr<const Codec> build_label_codec(const LineSource& lines, const Codec* former) {
  const auto codec = label_codec(Vocabulary());
  std::map<std::string, int64_t> counts;
  lines([&](std::string_view line) {
    for (const std::string& label : codec->tokenizer().encode(line)) ++counts[label];
  });
  const Vocabulary counted = Vocabulary::from_counts(counts, /*max_size=*/0, /*min_count=*/1);
  return label_codec(former == nullptr ? counted : extended(former->vocabulary(), counted));
}

void save_label_codecs(const std::filesystem::path& folder, const std::vector<std::string>& names,
                       const Codecs& codecs) {
  for (const std::string& name : names)
    codecs.at(name)->vocabulary().save(vocabulary_file(folder, name));
}

Codecs load_label_codecs(const std::filesystem::path& folder,
                         const std::vector<std::string>& names) {
  return load_of_model([&] {
    Codecs codecs;
    for (const std::string& name : names)
      codecs[name] = label_codec(Vocabulary::load_saved(vocabulary_file(folder, name)));
    return codecs;
  });
}

}  // namespace heed
