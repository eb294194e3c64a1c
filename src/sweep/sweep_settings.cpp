#include "sweep/sweep_settings.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "config/numbers.h"
#include "config/print.h"
#include "results/run_columns.h"

namespace heed {

namespace {

using Form = Node::Form;
using SettingList = std::vector<SweepSetting>;

// A text as part of the name of a folder.
std::string word_of(std::string word) {
  constexpr size_t kLongest = 40;
  for (char& byte : word) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '.' ||
                          byte == '_' || byte == '-' || byte == '+';
    if (!is_plain) byte = '-';
  }
  return word.substr(0, kLongest);
}

SettingList product(const SettingList& first, const SettingList& second) {
  SettingList all;
  for (const SweepSetting& a : first) {
    for (const SweepSetting& b : second) {
      SweepSetting& both = all.emplace_back(a);
      both.name += (a.name.empty() || b.name.empty() ? "" : ",") + b.name;
      both.changes.insert(both.changes.end(), b.changes.begin(), b.changes.end());
    }
  }
  return all;
}

SettingList named_settings(const Node& settings) {
  SettingList all;
  for (const Node::Entry& setting : settings.entries) {
    SweepSetting& one = all.emplace_back(SweepSetting{setting.key, {}});
    for (const Node::Entry& entry : setting.value.entries)
      one.changes.push_back(
          {entry.key, entry.value, fmt::format("sweep.settings.{}.{}", setting.key, entry.key)});
  }
  return all;
}

// The values of one key of the grid.
SettingList values_of(const Node::Entry& key, const std::string& short_key) {
  SettingList all;
  const bool is_map = key.value.is(Form::kMap);
  for (size_t i = 0; i < key.value.entries.size(); ++i) {
    const Node::Entry& entry = key.value.entries[i];
    const std::string path = fmt::format("sweep.grid.{}", key.key);
    const std::string value =
        entry.value.is(Form::kScalar) ? entry.value.text : print_inline(entry.value);
    all.push_back(
        {fmt::format("{}={}", word_of(short_key), is_map ? entry.key : word_of(value)),
         {{key.key, entry.value,
           is_map ? fmt::format("{}.{}", path, entry.key) : fmt::format("{}[{}]", path, i)}}});
  }
  return all;
}

std::string rounded(double value, double low, double high) {
  const std::string text = fmt::format("{:.4g}", value);
  const double number = *to_number(text);
  if (number < low) return fmt::format("{}", low);
  if (number > high) return fmt::format("{}", high);
  return fmt::format("{}", number);
}

// A draw depends on the seed, the key and its number alone.
Node drawn(const Node::Entry& key, int64_t seed, int64_t number) {
  const Node::Entry& distribution = key.value.entries.front();
  RandomStream stream(stream_key(static_cast<uint64_t>(seed), "sweep " + key.key, number));
  const std::vector<Node::Entry>& items = distribution.value.entries;
  if (distribution.key == "choice") return items[stream.below(items.size())].value;
  const double low = *to_number(items[0].value.text), high = *to_number(items[1].value.text);
  const double at = stream.uniform();
  const double value = distribution.key == "log"
                           ? std::exp(std::log(low) + at * (std::log(high) - std::log(low)))
                           : low + at * (high - low);
  return {.form = Form::kScalar,
          .text = rounded(value, low, high),
          .place = distribution.value.place,
          .entries = {}};
}

SettingList draws_of(const SweepConfig& sweep) {
  SettingList all;
  for (int64_t number = 1; number <= sweep.draws.value_or(0); ++number) {
    SweepSetting& one = all.emplace_back(SweepSetting{fmt::format("draw-{}", number), {}});
    for (const Node::Entry& key : sweep.random.entries)
      one.changes.push_back(
          {key.key, drawn(key, sweep.draw_seed, number),
           fmt::format("sweep.random.{}.{}", key.key, key.value.entries.front().key)});
  }
  return all;
}

}  // namespace

std::vector<SweepSetting> settings_of(const SweepConfig& sweep) {
  SettingList all{{"", {}}};
  if (!sweep.settings.entries.empty()) all = product(all, named_settings(sweep.settings));
  std::vector<std::string> keys;
  for (const Node::Entry& key : sweep.grid.entries) keys.push_back(key.key);
  const std::vector<std::string> names = short_keys(keys);
  for (size_t i = 0; i < names.size(); ++i)
    all = product(all, values_of(sweep.grid.entries[i], names[i]));
  if (sweep.draws) all = product(all, draws_of(sweep));
  if (all.size() == 1 && all.front().name.empty()) all.front().name = "base";
  return all;
}

}  // namespace heed
