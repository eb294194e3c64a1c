#include "serve/service_metrics.h"

#include <spdlog/fmt/fmt.h>

namespace heed {

namespace {

void describe(std::string& text, const char* name, const char* type, const std::string& help) {
  text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

// Escapes a label value: users choose the names of models.
std::string escaped(const std::string& value) {
  std::string result;
  for (const char c : value) {
    if (c == '\\' || c == '"') result += '\\';
    result += c == '\n' ? "\\n" : std::string(1, c);
  }
  return result;
}

}  // namespace

void ServiceMetrics::count_request(const std::string& path, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{path, status}];
  Histogram& histogram = seconds_[path];
  for (size_t i = 0; i < kBounds.size(); ++i) {
    if (seconds <= kBounds[i]) ++histogram.counts[i];
  }
  ++histogram.count;
  histogram.sum += seconds;
}

void ServiceMetrics::count_line(const std::string& model, int64_t tokens, bool is_cut) {
  const std::lock_guard lock(mutex_);
  Model& own = models_[model];
  own.lines += 1;
  own.tokens += tokens;
  own.cut += is_cut ? 1 : 0;
}

std::string ServiceMetrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  describe(text, "heed_requests_total", "counter", "Requests that were answered");
  for (const auto& [key, count] : requests_)
    text += fmt::format("heed_requests_total{{path=\"{}\",status=\"{}\"}} {}\n", key.first,
                        key.second, count);
  describe(text, "heed_request_seconds", "histogram", "Time from a request to its answer");
  for (const auto& [path, histogram] : seconds_) {
    const auto bucket = [&text, &of = path](const std::string& bound, int64_t count) {
      text += fmt::format("heed_request_seconds_bucket{{path=\"{}\",le=\"{}\"}} {}\n", of, bound,
                          count);
    };
    for (size_t i = 0; i < kBounds.size(); ++i)
      bucket(fmt::format("{}", kBounds[i]), histogram.counts[i]);
    bucket("+Inf", histogram.count);
    text += fmt::format("heed_request_seconds_sum{{path=\"{}\"}} {}\n", path, histogram.sum);
    text += fmt::format("heed_request_seconds_count{{path=\"{}\"}} {}\n", path, histogram.count);
  }
  describe(text, "heed_lines_total", "counter", "Lines that were translated");
  for (const auto& [name, model] : models_)
    text += fmt::format("heed_lines_total{{model=\"{}\"}} {}\n", escaped(name), model.lines);
  describe(text, "heed_target_tokens_total", "counter", "Tokens of the best translations");
  for (const auto& [name, model] : models_)
    text +=
        fmt::format("heed_target_tokens_total{{model=\"{}\"}} {}\n", escaped(name), model.tokens);
  describe(text, "heed_cut_lines_total", "counter",
           "Lines whose best translation was cut or shortened by the maximum length");
  for (const auto& [name, model] : models_)
    text += fmt::format("heed_cut_lines_total{{model=\"{}\"}} {}\n", escaped(name), model.cut);
  for (const Gauge& gauge : gauges_) {
    describe(text, gauge.name.c_str(), "gauge", gauge.help);
    for (const auto& [model, value] : gauge.values())
      text +=
          fmt::format("{}{} {}\n", gauge.name,
                      model.empty() ? "" : fmt::format("{{model=\"{}\"}}", escaped(model)), value);
  }
  return text;
}

}  // namespace heed
