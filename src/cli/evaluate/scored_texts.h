// The texts that are scored, and how scores are written: of `evaluate` and `compare`.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/same_file.h"
#include "cli/metric_options.h"
#include "metric/resampling.h"

namespace heed {

// The lines of a file; "-" is standard input. beside: further texts of the command (column_reader.h).
Lines read_text(const std::string& path, const std::vector<std::string>& beside = {});

// The files of the references, for refuse_same_files().
std::vector<NamedFile> reference_files(const MetricChoice& choice);
References read_references(const MetricChoice& choice, const std::vector<std::string>& beside = {});
using Metrics = std::vector<std::unique_ptr<Metric>>;

// Error(kData) that names the files, for an n-best list, for what check_texts refuses and for lines
// that one of the metrics cannot read.
void check_hypotheses(const std::string& name, const Lines& hypotheses,
                      const References& references, const MetricChoice& choice,
                      const Metrics& metrics);

// Warns of a file of which most lines have more tabs than those of the other text: a table?
void warn_of_columns(const std::string& file, const Lines& lines, const Lines& other);

// Warns of metrics that say little of these texts.
void warn_of_caveats(const Metrics& metrics, const Lines& hypotheses, const References& references);

nlohmann::ordered_json to_json(const ConfidenceInterval& interval, const Resampling& resampling);

// Writes the one or the other to standard output, as --format says.
void write_scores(const MetricChoice& choice, const nlohmann::ordered_json& json,
                  const std::string& text);

}  // namespace heed
