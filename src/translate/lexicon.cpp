#include "translate/lexicon.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>

#include "base/error.h"
#include "base/file.h"

namespace heed {

namespace {

// Source and target token as one number. The source that stands for none is behind the vocabulary.
using Table = std::unordered_map<uint64_t, double>;

uint64_t key_of(int32_t source, int32_t target) {
  return static_cast<uint64_t>(source) << 32 | static_cast<uint32_t>(target);
}
int32_t source_of(uint64_t key) { return static_cast<int32_t>(key >> 32); }
int32_t target_of(uint64_t key) { return static_cast<int32_t>(key & 0xFFFFFFFF); }

// One iteration: expected counts by the table, and from them the new table.
Table maximize(const Table& table, const Lexicon::Pairs& pairs, int32_t none) {
  Table counts;
  counts.reserve(table.size());
  std::vector<double> totals(static_cast<size_t>(none) + 1, 0);
  pairs([&](const Ids& source, const Ids& target) {
    Ids all = source;
    all.push_back(none);
    for (const int32_t t : target) {
      double sum = 0;
      for (const int32_t s : all) sum += table.at(key_of(s, t));
      for (const int32_t s : all) {
        const double count = table.at(key_of(s, t)) / sum;
        counts[key_of(s, t)] += count;
        totals[static_cast<size_t>(s)] += count;
      }
    }
  });
  for (auto& [key, count] : counts) count /= totals[static_cast<size_t>(source_of(key))];
  return counts;
}

struct LexiconLine {
  std::string_view target, source;
  double probability = 0;
};

// nullopt: it is none.
std::optional<LexiconLine> parse(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (first == 0 || second == std::string_view::npos || second == first + 1) return std::nullopt;
  LexiconLine result{line.substr(0, first), line.substr(first + 1, second - first - 1)};
  const char* end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data() + second + 1, end, result.probability);
  const bool is_number = error == std::errc() && rest == end;
  if (!is_number || !(result.probability >= 0 && result.probability <= 1)) return std::nullopt;
  return result;
}

}  // namespace

Lexicon Lexicon::learn(const Pairs& pairs, int32_t sources, int32_t targets, int64_t iterations,
                       double least) {
  Table table;
  pairs([&](const Ids& source, const Ids& target) {
    for (const int32_t t : target) {
      for (const int32_t s : source) table.try_emplace(key_of(s, t), 1.0 / targets);
      table.try_emplace(key_of(sources, t), 1.0 / targets);
    }
  });
  for (int64_t i = 0; i < iterations; ++i) table = maximize(table, pairs, sources);
  Lexicon lexicon(sources, targets);
  for (const auto& [key, probability] : table) {
    if (source_of(key) < sources && probability >= least)
      lexicon.add(source_of(key), {target_of(key), probability});
  }
  lexicon.sort();
  return lexicon;
}

Lexicon Lexicon::read(const std::filesystem::path& file, const Vocabulary& source,
                      const Vocabulary& target) {
  Lexicon lexicon(static_cast<int32_t>(source.size()), static_cast<int32_t>(target.size()));
  LineReader reader(file);
  for (std::string line; reader.next(line);) {
    const auto parsed = parse(line);
    if (!parsed)
      throw_error(ErrorKind::kData,
                  "{}:{}: found '{}', expected `target source probability` with a probability from "
                  "0 to 1",
                  file.string(), reader.line_number(), line);
    const int32_t s = source.id(parsed->source), t = target.id(parsed->target);
    if (s >= kSpecials && t >= kSpecials) lexicon.add(s, {t, parsed->probability});  // else unknown
  }
  if (lexicon.size() == 0)
    throw_error(
        ErrorKind::kData,
        "{}: no line has a source token and a target token of the model; make the file with "
        "`heed shortlist` and this model",
        file.string());
  lexicon.sort();
  return lexicon;
}

void Lexicon::write(const std::filesystem::path& file, const Vocabulary& source,
                    const Vocabulary& target) const {
  AtomicFile out(file);
  for (int32_t s = 0; s < sources(); ++s) {
    for (const auto& [t, probability] : of(s))
      out.write(fmt::format("{} {} {:.4g}\n", target.piece(t), source.piece(s), probability));
  }
  out.commit();
}

int64_t Lexicon::size() const {
  int64_t size = 0;
  for (const auto& own : entries_) size += std::ssize(own);
  return size;
}

void Lexicon::sort() {
  for (auto& own : entries_) {
    std::ranges::sort(own, [](const Entry& a, const Entry& b) {
      return a.probability != b.probability ? a.probability > b.probability : a.target < b.target;
    });
  }
}

}  // namespace heed
