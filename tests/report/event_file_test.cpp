// Event files of TensorBoard equal those of tensorboard, byte for byte.
#include "report/event_file.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "../base/temporary_folder.h"
#include "base/crc32c.h"

namespace heed {
namespace {

using testing::MatchesRegex;

std::string fixture() {
  const char* source = std::getenv("HEED_SOURCE");
  return read_plainly(std::filesystem::path(source == nullptr ? "." : source) /
                      "tests/report/fixtures/tensorboard.events");
}

// Values of RFC 3720, appendix B.4, and the usual check value.
TEST(Crc32c, HasThePublishedValues) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43u);
  EXPECT_EQ(crc32c(""), 0u);
}

// The events are those of scripts/fixtures/tensorboard_events.py, which made the fixture.
TEST(EventFile, WritesTheBytesOfTensorboard) {
  const std::string written =
      tf_record(version_event(1700000000.25)) + tf_record(start_event(1700000000.5, 301)) +
      tf_record(scalars_event(1700000001.125, 350,
                              {{"train/loss", 2.3456789}, {"train/learning_rate", 1e-4}})) +
      tf_record(scalars_event(1700000002.0, 5'000'000'000,
                              {{"validation/bleu", 0.0}, {std::string(200, 'x'), -1.5}}));
  ASSERT_FALSE(fixture().empty());
  EXPECT_EQ(written, fixture());
}

TEST(EventFile, EachStartHasAFileOfItsOwn) {
  const TemporaryFolder folder;
  { const EventFile first(folder / "tensorboard", 1); }
  const EventFile second(folder / "tensorboard", 301);
  const auto names = folder.names();
  ASSERT_EQ(names.size(), 3u);
  EXPECT_THAT(names[1],
              MatchesRegex("tensorboard/events\\.out\\.tfevents\\.[0-9]+\\..+\\.[0-9]+\\.0"));
  EXPECT_LT(names[1], names[2]) << "TensorBoard reads them in the order of their names";
  const size_t version = tf_record(version_event(1)).size();
  EXPECT_EQ(read_plainly(folder / names[1]).size(), version) << "nothing to drop";
  EXPECT_EQ(read_plainly(folder / names[2]).size(),
            version + tf_record(start_event(1, 301)).size());
}

}  // namespace
}  // namespace heed
