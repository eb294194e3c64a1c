#include "distill/distill_report.h"

#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/model_folder.h"
#include "base/utf8.h"
#include "config/numbers.h"
#include "data/evaluation_set.h"
#include "metric/registry.h"
#include "report/comparison_page.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kSpeed =
    "words of the source per second on one core, without the start of the program and the loading "
    "of the model";

Lines lines_of(const fs::path& file) { return read_lines({.paths = {file}}); }

int64_t words_of(const Lines& lines) {
  int64_t words = 0;
  for (const std::string& line : lines) words += std::ssize(split_words(line));
  return words;
}

// Bytes of the files that translation reads.
uint64_t size_of_model(const fs::path& path) {
  if (is_plain_file(path)) return fs::file_size(path);
  uint64_t bytes = 0;
  for (const fs::path& file : list_files(find_model(path))) bytes += fs::file_size(file);
  return bytes;
}

Rows rows_of_models(const DistillReport& report) {
  Rows rows{{"model", "size"}};
  for (const TestFigures& test : report.models.front().tests)
    rows.front().insert(rows.front().end(),
                        {test.test + " BLEU", test.test + " chrF", test.test + " words/s"});
  for (const ModelFigures& model : report.models) {
    auto& row = rows.emplace_back();
    row = {model.model.description, format_bytes(static_cast<double>(model.bytes))};
    for (const TestFigures& test : model.tests)
      row.insert(row.end(), {fmt::format("{:.1f}", test.bleu), fmt::format("{:.1f}", test.chrf),
                             format_count(static_cast<int64_t>(test.words_per_second))});
  }
  return rows;
}

Rows rows_of_stages(const DistillReport& report) {
  Rows rows{{"stage", "time"}};
  for (const StageSeconds& stage : report.stages)
    rows.push_back(
        {fmt::format("{}: {}", stage.name, stage.title), format_duration(stage.seconds)});
  return rows;
}

std::string text_table(const Rows& rows) {
  std::vector<TextColumn> columns(rows.front().size());
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) columns[i].cells.push_back(row[i]);
  }
  for (size_t i = 1; i < columns.size(); ++i) columns[i].right = true;
  std::string text;
  for (const std::string& line : align_columns(columns)) text += line + "\n";
  return text;
}

}  // namespace

std::string DistillReport::text() const {
  std::string text;
  if (!models.empty()) text = text_table(rows_of_models(*this)) + "\nwords/s: " + kSpeed + "\n";
  for (const std::string& signature : signatures) text += signature + "\n";
  return text + (signatures.empty() ? "" : "\n") + text_table(rows_of_stages(*this));
}

std::string DistillReport::json() const {
  Json json;
  json["signatures"] = signatures;
  json["models"] = Json::array();
  for (const ModelFigures& model : models) {
    Json one{{"name", model.model.name},
             {"description", model.model.description},
             {"models", model.model.models},
             {"bytes", model.bytes},
             {"tests", Json::array()}};
    for (const TestFigures& test : model.tests)
      one["tests"].push_back({{"name", test.test},
                              {"bleu", test.bleu},
                              {"chrf", test.chrf},
                              {"words_per_second", test.words_per_second}});
    json["models"].push_back(std::move(one));
  }
  json["stages"] = Json::array();
  for (const StageSeconds& stage : stages)
    json["stages"].push_back(
        {{"name", stage.name}, {"title", stage.title}, {"seconds", stage.seconds}});
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

std::string DistillReport::html() const {
  ComparisonPage page{.title = title};
  if (!models.empty()) {
    const std::string how = fmt::format("{}", fmt::join(signatures, "; "));
    page.tables.push_back(
        {fmt::format("Scores, size of the files, and {}. {}", kSpeed, how), rows_of_models(*this)});
  }
  page.tables.push_back({"Time of the stages", rows_of_stages(*this)});
  return html_comparison(page);
}

DistillReport make_report(const DistillPlan& plan, const StageRunner& stages) {
  DistillReport report{.title = "Distillation: " + plan.files.folder.filename().string()};
  const auto bleu = make_metric("bleu"), chrf = make_metric("chrf");
  for (const Metric* metric : {bleu.get(), chrf.get()})
    report.signatures.push_back(fmt::format("{}: {}", metric->name(), metric->signature(1)));
  if (plan.models.empty()) report.signatures.clear();
  for (const ComparedModel& model : plan.models) {
    ModelFigures& figures = report.models.emplace_back(ModelFigures{.model = model});
    for (const std::string& path : model.models) figures.bytes += size_of_model(path);
    for (const std::string& test : plan.tests) {
      const Lines translations = lines_of(plan.files.translations(model.name, test));
      const References references{lines_of(plan.files.test(test).reference)};
      const std::string written = read_file(plan.files.seconds(model.name, test));
      const double seconds = to_number(trimmed(written, "\n")).value_or(0);
      const auto words = static_cast<double>(words_of(lines_of(plan.files.test(test).source)));
      figures.tests.push_back({.test = test,
                               .bleu = bleu->score(translations, references).value,
                               .chrf = chrf->score(translations, references).value,
                               .words_per_second = seconds > 0 ? words / seconds : 0});
    }
  }
  for (const Stage& stage : plan.stages)
    report.stages.push_back({stage.name, stage.title, stages.seconds(stage.name)});
  return report;
}

}  // namespace heed
