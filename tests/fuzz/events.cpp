// Server-sent events as a client of the HTML standard reads them: whatever the data are, they arrive
// as one event.
#include "serve/event_text.h"

#include "base/replace_all.h"
#include "fuzz/fuzzing.h"

namespace heed {

namespace {

struct Event {
  std::string name, data;
};

// The events of a stream (section 9.2.6), whose lines end in LF alone.
std::vector<Event> events_of(std::string_view stream) {
  std::vector<Event> events;
  Event next;
  while (!stream.empty()) {
    const std::string line = take_until(stream, '\n');
    if (line.empty()) {
      if (!next.data.empty()) next.data.pop_back();
      events.push_back(std::exchange(next, {}));
    } else if (line.starts_with("event: ")) {
      next.name = line.substr(7);
    } else {
      HEED_CHECK(line.starts_with("data: "), "{}", line);
      next.data += line.substr(6) + "\n";
    }
  }
  return events;
}

}  // namespace

void try_input(std::string_view bytes) {
  const std::string text = event_text("token", bytes);
  HEED_CHECK(text.find('\r') == std::string::npos);
  const std::vector<Event> events = events_of(text + event_text("end", "{}"));
  HEED_CHECK(events.size() == 2 && events[0].name == "token" && events[1].name == "end");
  const std::string data = replace_all(replace_all(std::string(bytes), "\r\n", "\n"), "\r", "\n");
  HEED_CHECK(events[0].data == data && events[1].data == "{}");
}

}  // namespace heed
