// Event files of TensorBoard: scalars, as TFRecords of three protobuf messages (Event, Summary,
// SessionLog). They are written here by hand: a varint, a fixed number and a nested message are all
// that these messages need, and protobuf would be one more library and compiler to build with.
//
// Formats: tensorboard/compat/proto/{event,summary}.proto; a record is its length (8 bytes), the
// masked CRC-32C of the length, the message, and its masked CRC-32C, all little-endian.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace heed {

using Scalars = std::vector<std::pair<std::string, double>>;  // tag ("train/loss"), value

// Messages. wall_time: seconds since 1970.
std::string version_event(double wall_time);
// Everything of this step and later ones is void: TensorBoard drops what a killed run wrote after
// the checkpoint that it is resumed from.
std::string start_event(double wall_time, int64_t step);
std::string scalars_event(double wall_time, int64_t step, const Scalars& scalars);

// A message as a record of the file.
std::string tf_record(std::string_view message);

// A new events.out.tfevents.TIME.HOST.PROCESS.0 in a folder. TensorBoard takes the files of a
// folder, in the order of their names, for one run.
class EventFile {
 public:
  // Makes the folder; `first_step` is the first one that will be written. Throws Error(kIo).
  EventFile(const std::filesystem::path& folder, int64_t first_step);
  void write(int64_t step, const Scalars& scalars) const;

 private:
  Descriptor file_;
};

// Removes the event files of a folder, and the folder if nothing else is in it.
void remove_event_files(const std::filesystem::path& folder);

}  // namespace heed
