#include "align/alignment_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/floating_point.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "data/text_view.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "heed alignment model 3";
constexpr std::string_view kHash = "hash ";  // before that of the lines, which have tabs
constexpr std::array kUnitNames{std::pair(WordUnit::kByLine, "by_line"),
                                std::pair(WordUnit::kSpaces, "spaces"),
                                std::pair(WordUnit::kCharacters, "characters")};
constexpr std::array kSides{"source", "target"};

std::string name_of(WordUnit unit) {
  for (const auto& [value, name] : kUnitNames)
    if (value == unit) return name;
  return "";
}

Json settings_of(const AlignmentModel& model) {
  Json json;
  json["pieces"] = model.text.pieces;
  json["cased"] = model.text.cased;
  for (size_t side = 0; side < kSides.size(); ++side)
    json["units"][kSides[side]] = name_of(model.text.units[side]);
  for (const ModelDirection d : kDirections) {
    const PositionModel& positions = model.aligner->model(d);
    json["positions"].push_back(
        {{"name", positions.name()}, {"parameters", positions.parameters()}});
  }
  return json;
}

void check_word(const std::string& word) {
  if (word.find_first_of("\t\r\n") != std::string::npos)
    throw_error(
        ErrorKind::kData,
        "the word '{}' has a tab or a line end, which the file of an alignment model cannot hold",
        word);
}

// Writes lines and hashes them.
class HashedLines {
 public:
  explicit HashedLines(AtomicFile& file) : file_(file) {}
  void write(const std::string& line) {
    content_.add(line);
    file_.write(line);
  }
  std::string digest() const { return content_.digest(); }

 private:
  AtomicFile& file_;
  ContentHash content_;
};

void write_pairs(const AlignmentModel& model, HashedLines& lines) {
  const WordPairTable& table = model.aligner->table();
  for (int32_t t = 0; t < table.targets(); ++t)
    lines.write(fmt::format("\t{}\t{}\t0\n", model.targets.word(t), table.null(kForward, t)));
  for (int32_t s = 0; s < table.sources(); ++s) {
    const std::string& source = model.sources.word(s);
    lines.write(fmt::format("{}\t\t0\t{}\n", source, table.null(kReverse, s)));
    for (const auto& [t, p] : table.of(s)) {
      if (p[kForward] > WordPairTable::kLeast || p[kReverse] > WordPairTable::kLeast)
        lines.write(fmt::format("{}\t{}\t{}\t{}\n", source, model.targets.word(t), p[kForward],
                                p[kReverse]));
    }
  }
}

// Reads the lines of a file.
class ModelReader {
 public:
  explicit ModelReader(const fs::path& file) : file_(file), reader_(file) {}

  AlignmentModel read() {
    std::string line;
    if (!reader_.next(line) || line != kFormat)
      fail(fmt::format("begins with '{}'", line),
           fmt::format("'{}', as --save-model writes", kFormat));
    std::string settings;
    if (!reader_.next(settings)) fail("ends", "settings");
    AlignmentModel model;
    const auto positions = read_settings(settings, model.text);
    read_pairs(settings, model);
    std::vector<std::vector<WordPairTable::Entry>> entries(
        static_cast<size_t>(model.sources.size()));
    for (const auto& [source, entry] : pairs_)
      entries[static_cast<size_t>(source)].push_back(entry);
    null_[kForward].resize(static_cast<size_t>(model.targets.size()), WordPairTable::kLeast);
    null_[kReverse].resize(static_cast<size_t>(model.sources.size()), WordPairTable::kLeast);
    std::array<std::unique_ptr<PositionModel>, 2> models;
    for (const ModelDirection d : kDirections) {
      models[d] = make_position_model(positions[d].name, positions[d].parameters);
    }
    model.aligner = std::make_unique<WordAligner>(WordPairTable(entries, null_), std::move(models));
    return model;
  }

 private:
  struct Positions {
    std::string name{};
    std::vector<double> parameters{};
  };

  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw_error(ErrorKind::kModel, "{}:{}: {}, expected {}", file_.string(), reader_.line_number(),
                found, expected);
  }

  std::array<Positions, 2> read_settings(const std::string& line, AlignedUnits& text) {
    std::array<Positions, 2> positions;
    try {
      const Json json = Json::parse(line);
      text.pieces = json.at("pieces").get<bool>();
      text.cased = json.at("cased").get<bool>();
      for (size_t side = 0; side < kSides.size(); ++side)
        text.units[side] = unit_named(json.at("units").at(kSides[side]).get<std::string>());
      for (const ModelDirection d : kDirections) {
        const Json& one = json.at("positions").at(d);
        positions[d] = {one.at("name").get<std::string>(),
                        one.at("parameters").get<std::vector<double>>()};
        if (!make_position_model(positions[d].name, positions[d].parameters))
          fail(fmt::format("positions '{}' with {} parameters", positions[d].name,
                           positions[d].parameters.size()),
               "a model of positions of this version");
        check_parameters(positions[d]);
      }
    } catch (const nlohmann::json::exception& error) {
      fail(first_line(error.what()), "settings as JSON");
    }
    return positions;
  }

  void check_parameters(const Positions& positions) const {
    for (size_t i = 0; i < positions.parameters.size(); ++i) {
      const auto [least, most] = parameter_range(positions.name, i);
      const double value = positions.parameters[i];
      if (!(value >= least && value <= most))
        fail(fmt::format("parameter {} of positions '{}' is {}", i, positions.name, value),
             fmt::format("{} to {}", least, most));
    }
  }

  WordUnit unit_named(const std::string& name) const {
    for (const auto& [value, known] : kUnitNames)
      if (name == known) return value;
    fail(fmt::format("unit '{}'", name), "by_line, spaces or characters");
  }

  // Reads the lines behind the settings; the last one has the hash of all.
  void read_pairs(const std::string& settings, AlignmentModel& model) {
    ContentHash content;
    content.add(settings + "\n");
    std::string line;
    for (;;) {
      if (!reader_.next(line)) fail("ends", "a pair of words or the hash of the lines");
      if (line.starts_with(kHash) && line.find('\t') == std::string::npos) break;
      read_pair(line, model);
      content.add(line + "\n");
    }
    if (line.substr(kHash.size()) != content.digest())
      throw_error(
          ErrorKind::kModel,
          "{}:{}: the hash is not that of the lines before it, the file is damaged; save the model "
          "again",
          file_.string(), reader_.line_number());
    if (reader_.next(line)) fail("goes on behind the hash", "its end");
  }

  float read_probability(std::string_view text) const {
    double value = 0;
    const auto [rest, error] = floating_point_from(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc() && rest == text.data() + text.size();
    if (!is_number || !(static_cast<float>(value) >= WordPairTable::kLeast && value <= 1))
      fail(fmt::format("found '{}'", text),
           fmt::format("a probability from {} to 1", WordPairTable::kLeast));
    return static_cast<float>(value);
  }

  void read_pair(const std::string& line, AlignmentModel& model) {
    const auto cells = split_row(line);
    if (cells.size() != 4 || (cells[0].empty() && cells[1].empty()))
      fail(fmt::format("found '{}'", line), "`source TAB target TAB probability TAB probability`");
    const std::string source(cells[0]), target(cells[1]);
    const int32_t s = source.empty() ? -1 : model.sources.add(source),
                  t = target.empty() ? -1 : model.targets.add(target);
    if (s >= 0 && t >= 0) {
      pairs_.push_back({s, {t, {read_probability(cells[2]), read_probability(cells[3])}}});
    } else {
      const ModelDirection d = s < 0 ? kForward : kReverse;
      const std::string_view other = cells[d == kForward ? 3 : 2];
      if (other != "0") fail(fmt::format("found '{}'", other), "0 for the NULL word");
      auto& null = null_[d];
      const auto word = static_cast<size_t>(std::max(s, t));
      if (word >= null.size()) null.resize(word + 1, WordPairTable::kLeast);
      null[word] = read_probability(cells[2 + d]);
    }
  }

  fs::path file_;
  LineReader reader_;
  std::vector<std::pair<int32_t, WordPairTable::Entry>> pairs_{};
  std::array<std::vector<float>, 2> null_{};
};

}  // namespace

void save_alignment_model(const AlignmentModel& model, AtomicFile& file) {
  for (const WordNumbers* words : {&model.sources, &model.targets})
    for (int32_t word = 0; word < words->size(); ++word) check_word(words->word(word));
  file.write(fmt::format("{}\n", kFormat));
  HashedLines lines(file);
  lines.write(json_text(settings_of(model)) + "\n");
  write_pairs(model, lines);
  file.write(fmt::format("{}{}\n", kHash, lines.digest()));
}

AlignmentModel load_alignment_model(const fs::path& file) { return ModelReader(file).read(); }

void write_lexicon(const AlignmentModel& model, AtomicFile& file, double least) {
  const WordPairTable& table = model.aligner->table();
  for (int32_t s = 0; s < table.sources(); ++s) {
    auto entries = table.of(s);
    std::ranges::stable_sort(entries, [](const auto& a, const auto& b) {
      return a.probability[kForward] > b.probability[kForward];
    });
    double sum = 0;
    for (const auto& entry : entries) sum += entry.probability[kForward];
    for (const auto& [t, p] : entries) {
      const double probability = p[kForward] / sum;
      if (probability >= least)
        file.write(fmt::format("{} {} {:.4g}\n", model.targets.word(t), model.sources.word(s),
                               probability));
    }
  }
}

}  // namespace heed
