// Measures how the time and memory of an attention grow with the length of a sequence: softmax
// beside the linear attentions and those that read a band of keys, over an encoder's own sentence
// and over a decoder's own past, a pass of training, forward and backward, one sentence, one
// thread. Prints a table of milliseconds and of the peak memory of tensors, and the exponents x of
// length^x, fitted over the lengths from 1,000 on. The argument names a file, to which it writes
// the figures as columns model, setting, quantity, value, unit. attention_length.sh builds and runs
// it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <c10/core/CPUAllocator.h>

#include "nn/torch.h"

#include "config/reader.h"
#include "nn/attention/builders.h"
#include "nn/attention/staged_config.h"
#include "nn/initialize.h"

namespace heed {
namespace {

// Counts the bytes of all tensors. libtorch reports only the memory of the process, in pages that
// it keeps.
class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t size) override {
    constexpr size_t kAlignment = 64;  // and room for the size, in front
    char* block = static_cast<char*>(
        std::aligned_alloc(kAlignment, (size + 2 * kAlignment - 1) / kAlignment * kAlignment));
    if (block == nullptr) throw std::bad_alloc();
    std::memcpy(block, &size, sizeof size);
    const size_t now = taken_ += size;
    most_ = std::max<size_t>(most_, now);
    return {block + kAlignment, block, &give_back, torch::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
  void copy_data(void* to, const void* from, size_t count) const override {
    default_copy_data(to, from, count);
  }
  // Returns the peak since the last call, above what is allocated now.
  static size_t take_most() {
    const size_t most = most_ - taken_;
    most_ = taken_.load();
    return most;
  }

 private:
  static void give_back(void* block) {
    size_t size = 0;
    std::memcpy(&size, block, sizeof size);
    taken_ -= size;
    std::free(block);
  }
  static inline std::atomic<size_t> taken_ = 0, most_ = 0;
};

constexpr int64_t kWidth = 64;
constexpr int64_t kLengths[] = {100, 250, 500, 1000, 2000, 4000, 8000, 16000};

struct Measured {
  double milliseconds, megabytes;
};

// Self-attention of x.
Attended attend(Attention& attention, Place place, const Tensor& x, State& state) {
  const int64_t length = x.size(1);
  const Tensor positions = torch::arange(length).unsqueeze(0);
  if (place == Place::kDecoderSelf) return attention.attend_past(x, x, x, positions, state.view());
  attention.start({{"self", make_source(x, torch::tensor({length}))}}, state.view());
  return attention.attend(x, positions, state.view());
}

// Median time and peak memory of a pass over a sequence of this length.
Measured measure(Attention& attention, Place place, int64_t length) {
  const Tensor x = torch::randn({1, length, kWidth});
  const auto pass = [&] {
    State state(attention.layout(), 1, Pass::for_training(1, 1), torch::kCPU);
    attend(attention, place, x, state).context.square().sum().backward();
    attention.zero_grad();
  };
  pass();
  std::vector<double> times;
  CountingAllocator::take_most();
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds_since = [](auto start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  while (times.size() < 5 || (seconds_since(begin) < 0.5 && times.size() < 50)) {
    const auto start = std::chrono::steady_clock::now();
    pass();
    times.push_back(1000 * seconds_since(start));
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return {times[times.size() / 2], static_cast<double>(CountingAllocator::take_most()) / 1e6};
}

// Slope of the logarithms, fitted by least squares.
double exponent(const std::vector<double>& lengths, const std::vector<double>& values) {
  const auto n = static_cast<double>(lengths.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const double a = std::log(lengths[i]), b = std::log(values[i]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

struct Row {
  const char* name;
  const char* config;       // {} in it is the square root of the length
  double least, most;       // exponent of the time
  const char* description;  // for the file
};
// Child 2019 takes strides near the square root, which gives n √n keys.
constexpr Row kRows[] = {
    {"softmax", "{{score: scaled_dot}}", 1.7, 9, "softmax of all keys"},
    {"elu", "{{type: linear, features: elu}}", 0, 1.2, "linear, elu"},
    {"performer", "{{type: linear, features: performer}}", 0, 1.2, "linear, performer"},
    {"efficient", "{{type: linear, features: efficient}}", 0, 1.2, "linear, efficient"},
    {"linformer", "{{type: linear, features: {{type: linformer, max_positions: 16000}}}}", 0, 1.2,
     "linear, linformer"},
    {"local", "{{score: scaled_dot, terms: [{{type: local, k: 32}}]}}", 0, 1.2,
     "softmax, term local, k = 32"},
    {"atrous", "{{score: scaled_dot, terms: [{{type: atrous, k: {}}}]}}", 0, 1.7,
     "softmax, term atrous, k = √length"},
    {"sparse", "{{score: scaled_dot, terms: [{{type: sparse, k: {}}}]}}", 0, 1.7,
     "softmax, term sparse, k = √length"}};

std::shared_ptr<Attention> attention_of(const Row& row, Place place, int64_t length) {
  struct Any final : Settings {
    std::shared_ptr<AttentionConfig> attention = std::make_shared<StagedConfig>();
    void fields(Fields& f) override { f.one_of("attention", attention, attentions(), ""); }
  } any;
  const auto root = static_cast<int64_t>(std::lround(std::sqrt(static_cast<double>(length))));
  read_config_text(fmt::format("{{attention: {}}}", fmt::format(fmt::runtime(row.config), root)),
                   row.name, any);
  const auto attention = build(*any.attention, {.place = place,
                                                .query = kWidth,
                                                .source = {.key = kWidth, .value = kWidth},
                                                .block = kWidth});
  initialize(*attention, {}, 1);
  return attention;
}

// Returns false if the time does not grow as it should. file: of the figures; nullptr: none
bool print_row(const Row& row, Place place, std::FILE* file) {
  const char* where = place == Place::kEncoderSelf ? "encoder" : "past";
  std::vector<double> lengths, times, memory;
  std::printf("%-8s %-10s", where, row.name);
  for (const int64_t length : kLengths) {
    const Measured measured = measure(*attention_of(row, place, length), place, length);
    std::printf(" %7.1f/%-6.4g", measured.milliseconds, measured.megabytes);
    std::fflush(stdout);
    if (file != nullptr) {
      const auto of = fmt::format("\"{}, one head of width {}\",\"{}, {} positions\"",
                                  row.description, kWidth, where, length);
      fmt::print(file,
                 "{0},time of forward and backward,{1:.2f},ms\n{0},\"memory, peak\",{2:.2f},MB\n",
                 of, measured.milliseconds, measured.megabytes);
    }
    if (length < 1000) continue;
    lengths.push_back(static_cast<double>(length));
    times.push_back(measured.milliseconds);
    memory.push_back(measured.megabytes);
  }
  const double of_time = exponent(lengths, times), of_memory = exponent(lengths, memory);
  const bool right = of_time >= row.least && of_time <= row.most && of_memory <= row.most;
  std::printf("  %5.2f %6.2f%s\n", of_time, of_memory, right ? "" : "  not as it should be");
  return right;
}

int run(std::FILE* file) {
  static CountingAllocator allocator;
  c10::SetCPUAllocator(&allocator, 255);
  at::set_num_threads(1);
  torch::manual_seed(1);
  std::printf("milliseconds / MB of tensors, forward and backward, width %ld, one head\n%-19s",
              static_cast<long>(kWidth), "length");
  for (const int64_t length : kLengths) std::printf(" %14ld", static_cast<long>(length));
  std::printf("  exponents of time and memory\n");
  bool right = true;
  for (const Place place : {Place::kEncoderSelf, Place::kDecoderSelf}) {
    for (const Row& row : kRows) {
      const bool cannot = place == Place::kDecoderSelf && std::strcmp(row.name, "linformer") == 0;
      if (!cannot) right = print_row(row, place, file) && right;
    }
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace heed

int main(int count, char** arguments) {
  std::FILE* file = count > 1 ? std::fopen(arguments[1], "w") : nullptr;
  if (count > 1 && file == nullptr) {
    std::perror(arguments[1]);
    return 2;
  }
  const int code = heed::run(file);
  if (file != nullptr && std::fclose(file) != 0) return 2;
  return code;
}
