// Config of data and text, followed by a zero byte and the overrides of `--set`.
#include "config/reader.h"
#include "config/writer.h"
#include "data/data_config.h"
#include "fuzz/fuzzing.h"
#include "text/text_config.h"

namespace heed {

namespace {

struct Config final : Settings {
  DataConfig data;
  TextConfigs text;
  void fields(Fields& f) override {
    f.section("data", data, "data");
    f.map("text", text, "text");
  }
  void validate(Problems& problems) const override {
    ProblemsAt at(problems, "text");
    validate_sharing(text, at);
  }
};

}  // namespace

void try_input(std::string_view bytes) {
  Config config;
  const std::string text = take_until(bytes, '\0');
  ReadOptions options;
  while (!bytes.empty()) options.overrides.push_back(parse_override(take_until(bytes, '\0')));
  if (!find_problems(text, "config", config, options).empty()) return;
  // An accepted config is written and read back without a change.
  const std::string written = write_config(config);
  Config again;
  HEED_CHECK(find_problems(written, "written", again).empty());
  HEED_CHECK(write_config(again) == written);
}

}  // namespace heed
