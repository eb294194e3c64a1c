#include "results/test_texts.h"

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/run_folder_names.h"
#include "base/utf8.h"
#include "metric/registry.h"

namespace heed {

namespace {

constexpr double kRounding = 1e-6;  // of scores by other versions and processors

Lines read_lines(const fs::path& path) {
  Lines lines;
  LineReader reader(path);
  for (std::string line; reader.next(line);) lines.push_back(replace_malformed(line));
  return lines;
}

// The metric whose signature is that of the score.
std::unique_ptr<Metric> metric_of(const RunSummary& run, const TestScore& test) {
  MetricOptions options;
  if (const std::string name = setting_of(run.settings, "train.validate.tokenize"); !name.empty())
    options.bleu.tokenizer = std::string(trimmed(name, "\"'"));
  for (const bool lower_case : {false, true}) {
    if (lower_case) options.ignore_case();
    auto metric = make_metric(test.metric, options);
    if (without_version(metric->signature(1)) == without_version(test.signature)) return metric;
  }
  throw_error(ErrorKind::kData,
              "{}: its {} of {} was made with settings of another version ({}); use --test welch",
              run.folder.string(), test.metric, test.set, test.signature);
}

}  // namespace

TestTexts read_test_texts(const RunSummary& run, const RunScore& score) {
  const TestScore& test = *score.test_of(run);
  const TestTextFiles files = test_text_files(run.folder, test.set);
  for (const fs::path& file : {files.translations, files.references}) {
    if (!is_plain_file(file))
      throw_error(
          ErrorKind::kModel,
          "{}: is missing, as in runs of earlier versions, and --baseline compares "
          "translations; `heed train CONFIG --resume` translates the test sets again, or use "
          "--test welch",
          file.string());
  }
  TestTexts texts{read_lines(files.translations), read_lines(files.references),
                  metric_of(run, test)};
  check_texts(texts.translations, {texts.references},
              {files.translations.string(), files.references.string()});
  const double value = texts.metric->score(texts.translations, {texts.references}).value;
  if (std::abs(value - test.value) > kRounding)
    throw_error(ErrorKind::kData,
                "{}: has {} {:.4f}, but the run was tested with {:.4f}; expected the translations "
                "of the test that is in metrics.jsonl",
                files.translations.string(), test.metric, value, test.value);
  return texts;
}

}  // namespace heed
