// Counters of a server, in the text format of Prometheus (version 0.0.4).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace heed {

using ModelValues = std::map<std::string, double>;  // by model, a label; "": of none

// Values that are read when the metrics are.
struct Gauge {
  std::string name, help;
  std::function<ModelValues()> values;
};

class ServiceMetrics {
 public:
  void count_request(const std::string& path, int status, double seconds);
  // A line that was translated: the tokens of its best translation, and whether this one was cut at
  // the maximum length.
  void count_line(const std::string& model, int64_t tokens, bool is_cut);
  void add_gauge(Gauge gauge) { gauges_.push_back(std::move(gauge)); }
  std::string text() const;

 private:
  // Upper bounds of the buckets, in seconds.
  static constexpr std::array kBounds{0.005, 0.01, 0.025, 0.05, 0.1,  0.25,
                                      0.5,   1.0,  2.5,   5.0,  10.0, 30.0};
  struct Histogram {
    std::array<int64_t, kBounds.size()> counts{};  // below each bound
    int64_t count = 0;
    double sum = 0;
  };
  struct Model {
    int64_t lines = 0, tokens = 0, cut = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, int64_t> requests_;  // by path and status
  std::map<std::string, Histogram> seconds_;                 // by path
  std::map<std::string, Model> models_;
  std::vector<Gauge> gauges_;
};

// The time of a request since it was received.
struct RequestTimer {
  std::string path;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }
};

}  // namespace heed
