#include "metric/label_f1.h"

#include <algorithm>

#include "base/error.h"
#include "metric/ngrams.h"
#include "metric/words.h"

namespace heed {

namespace {

constexpr size_t kFigures = 3;  // of a class

// The classes of each line, numbered from 0.
struct Labels {
  std::vector<uint32_t> hypotheses, references;
  size_t classes = 0;

  size_t figures() const { return kFigures * classes; }
  void count(size_t line, Statistics& figures) const {
    const size_t given = hypotheses[line], wanted = references[line];
    figures[kFigures * given] += given == wanted ? 1 : 0;
    figures[kFigures * given + 1] += 1;
    figures[kFigures * wanted + 2] += 1;
  }
};

std::vector<uint32_t> number(const Lines& lines, LetterCase letter_case, WordIds& ids) {
  std::vector<uint32_t> numbers;
  for (const auto& line : lines)
    numbers.push_back(ids.of({letter_case.apply(strip(line))}).front() - 1);
  return numbers;
}

Labels labels_of(const Lines& hypotheses, const References& references, LetterCase letter_case) {
  if (references.size() > 1) {
    throw_error(ErrorKind::kUsage,
                "F1: {} references, expected 1: a line has one class; give one, or use exact",
                references.size());
  }
  check_texts(hypotheses, references);
  WordIds ids;
  Labels labels{number(hypotheses, letter_case, ids), number(references[0], letter_case, ids)};
  for (const auto* numbers : {&labels.hypotheses, &labels.references}) {
    for (const size_t n : *numbers) labels.classes = std::max(labels.classes, n + 1);
  }
  return labels;
}

}  // namespace

std::string LabelF1::signature(size_t references) const {
  return fmt::format("nrefs:{}|{}|average:macro|version:heed-{}", references,
                     letter_case_.signature(), HEED_VERSION);
}

Statistics LabelF1::statistics(std::string_view hypothesis,
                               const LineReferences& references) const {
  References lines;
  for (const auto reference : references) lines.push_back({std::string(reference)});
  return line_statistics({std::string(hypothesis)}, lines).front();
}

std::vector<Statistics> LabelF1::line_statistics(const Lines& hypotheses,
                                                 const References& references) const {
  const Labels labels = labels_of(hypotheses, references, letter_case_);
  std::vector<Statistics> lines(hypotheses.size(), Statistics(labels.figures()));
  for (size_t i = 0; i < lines.size(); ++i) labels.count(i, lines[i]);
  return lines;
}

Score LabelF1::score(const Lines& hypotheses, const References& references) const {
  const Labels labels = labels_of(hypotheses, references, letter_case_);
  Statistics sum(labels.figures());
  for (size_t i = 0; i < hypotheses.size(); ++i) labels.count(i, sum);
  return from_sum(sum);
}

Score LabelF1::from_sum(const Statistics& sum) const {
  double classes = 0, f1 = 0, precision = 0, recall = 0;
  for (size_t i = 0; i + kFigures <= sum.size(); i += kFigures) {
    const double right = sum[i], given = sum[i + 1], wanted = sum[i + 2];
    if (given + wanted == 0) continue;  // not in this sample of the lines
    ++classes;
    f1 += 2 * right / (given + wanted);
    precision += right / std::max(given, 1.0);
    recall += right / std::max(wanted, 1.0);
  }
  HEED_CHECK(classes > 0);
  for (double* mean : {&f1, &precision, &recall}) *mean *= 100 / classes;
  return {f1,
          fmt::format("(P = {:.1f} R = {:.1f} classes = {:.0f})", precision, recall, classes),
          {{"precision", precision}, {"recall", recall}, {"classes", classes}}};
}

}  // namespace heed
