#include "translate/lexicon.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/floating_point.h"
#include "base/log.h"
#include "base/sorted.h"
#include "translate/marian_shortlist.h"

namespace heed {

namespace {

// t(target | source) of all pairs of tokens that occur together, by source token; the token that
// stands for none is behind the vocabulary. Own code because a hash table takes several times the
// memory.
class Table {
 public:
  Table(const Lexicon::Pairs& pairs, int32_t none, double probability) : rows_(none + 1) {
    pairs([&](const Ids& source, const Ids& target) {
      for (const int32_t s : source) rows_[static_cast<size_t>(s)].add(target);
      rows_.back().add(target);
    });
    for (Row& row : rows_) row.close(probability);
  }

  // One iteration: expected counts, and from them the new probabilities.
  void maximize(const Lexicon::Pairs& pairs) {
    std::vector<double*> cells;
    std::vector<double> values;
    pairs([&](const Ids& source, const Ids& target) {
      for (const int32_t t : target) {
        double sum = 0;
        cells.clear();
        values.clear();
        const auto visit = [&](Row& row) {
          const size_t cell = row.find(t);
          cells.push_back(&row.counts[cell]);
          values.push_back(row.probabilities[cell]);
          sum += values.back();
        };
        for (const int32_t s : source) visit(rows_[static_cast<size_t>(s)]);
        visit(rows_.back());
        for (size_t i = 0; i < cells.size(); ++i) *cells[i] += values[i] / sum;
      }
    });
    for (Row& row : rows_) row.normalize();
  }

  void visit(int32_t source, const std::function<void(Lexicon::Entry)>& take) const {
    const Row& row = rows_[static_cast<size_t>(source)];
    for (size_t i = 0; i < row.targets.size(); ++i) take({row.targets[i], row.probabilities[i]});
  }

 private:
  struct Row {
    Ids targets;  // ascending once it is closed
    std::vector<double> probabilities{}, counts{};
    size_t unique = 0;  // the first ones are ascending

    void add(const Ids& more) {
      targets.insert(targets.end(), more.begin(), more.end());
      if (targets.size() > 2 * unique + 1024) sort();
    }
    void sort() {
      sort_unique(targets);
      unique = targets.size();
    }
    void close(double probability) {
      sort();
      targets.shrink_to_fit();
      probabilities.assign(targets.size(), probability);
      counts.assign(targets.size(), 0);
    }
    size_t find(int32_t target) const {
      return static_cast<size_t>(std::ranges::lower_bound(targets, target) - targets.begin());
    }
    void normalize() {
      const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
      for (size_t i = 0; i < counts.size(); ++i) probabilities[i] = counts[i] / total;
      counts.assign(targets.size(), 0);
    }
  };
  std::vector<Row> rows_;
};

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
  const auto [rest, error] = floating_point_from(line.data() + second + 1, end, result.probability);
  const bool is_number = error == std::errc() && rest == end;
  if (!is_number || !(result.probability >= 0 && result.probability <= 1)) return std::nullopt;
  return result;
}

}  // namespace

Lexicon Lexicon::learn(const Pairs& pairs, int32_t sources, int32_t targets, int64_t iterations,
                       double least) {
  Table table(pairs, sources, 1.0 / targets);
  for (int64_t i = 0; i < iterations; ++i) table.maximize(pairs);
  Lexicon lexicon(sources, targets);
  for (int32_t s = 0; s < sources; ++s) {
    table.visit(s, [&](Entry entry) {
      if (entry.probability >= least) lexicon.add(s, entry);
    });
  }
  lexicon.sort();
  return lexicon;
}

void Lexicon::take(const std::string& line, const fs::path& file, int64_t number,
                   const Vocabulary& source, const Vocabulary& target) {
  const auto parsed = parse(line);
  if (!parsed)
    throw_error(ErrorKind::kData,
                "{}:{}: found '{}', expected `target source probability` with a probability from "
                "0 to 1",
                file.string(), number, line);
  const int32_t s = source.id(parsed->source), t = target.id(parsed->target);
  if (s >= kSpecials && t >= kSpecials) add(s, {t, parsed->probability});  // else unknown
}

void Lexicon::take_marian(const fs::path& file) {
  const MarianShortlist shortlist = read_marian_shortlist(file);
  const int64_t rows = sources() - kSpecials + kMarianSpecials;
  if (std::ssize(shortlist.targets) > rows)
    throw_error(
        ErrorKind::kData,
        "{}: has {} source tokens, but the vocabulary of the model {}; it is of another model",
        file.string(), shortlist.targets.size(), rows);
  spdlog::info("{}: made with --shortlist-best {} --shortlist-frequent {}", file.string(),
               shortlist.best, shortlist.frequent);
  for (size_t i = 0; i < shortlist.targets.size(); ++i) {
    const auto source = static_cast<int32_t>(id_of_marian(static_cast<uint32_t>(i)));
    for (const uint32_t id : shortlist.targets[i]) {
      const int64_t target = id_of_marian(id);
      if (target >= targets())
        throw_error(
            ErrorKind::kData,
            "{}: has the target token {}, but the vocabulary of the model {} tokens; it is of "
            "another model",
            file.string(), id, targets() - kSpecials + kMarianSpecials);
      if (source >= kSpecials && target >= kSpecials)
        add(source, {static_cast<int32_t>(target), 1.0});
    }
  }
}

void Lexicon::finish(const fs::path& file) {
  if (size() == 0)
    throw_error(
        ErrorKind::kData,
        "{}: no line has a source token and a target token of the model; make the file with "
        "`heed shortlist` and this model",
        file.string());
  sort();
}

Lexicon Lexicon::read(const fs::path& file, const Vocabulary& source, const Vocabulary& target) {
  Lexicon lexicon(static_cast<int32_t>(source.size()), static_cast<int32_t>(target.size()));
  if (is_marian_shortlist(file)) {
    lexicon.take_marian(file);
    lexicon.finish(file);
    return lexicon;
  }
  LineReader reader(file);
  for (std::string line; reader.next(line);)
    lexicon.take(line, file, reader.line_number(), source, target);
  lexicon.finish(file);
  return lexicon;
}

Lexicon Lexicon::of_text(const std::string& text, const fs::path& file, const Vocabulary& source,
                         const Vocabulary& target) {
  Lexicon lexicon(static_cast<int32_t>(source.size()), static_cast<int32_t>(target.size()));
  std::istringstream lines(text);
  int64_t number = 0;
  for (std::string line; std::getline(lines, line);)
    lexicon.take(line, file, ++number, source, target);
  lexicon.finish(file);
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
