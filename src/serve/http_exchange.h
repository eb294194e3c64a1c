// One HTTP request and its answer, which any thread may give later.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct HttpRequest {
  std::string method, path;                    // "POST", "/translate"
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::map<std::string, std::string> query{};  // arguments behind the path
  // Value of a header; "" if the request lacks it.
  std::string header(const std::string& name) const;
};

// The answer to a request: send() or send_parts() once, or begin_events(), any number of event() and
// end(). Every function may be called from any thread and does nothing once the client is gone.
class HttpReply {
 public:
  using Headers = std::map<std::string, std::string>;
  virtual ~HttpReply() = default;
  // Adds headers to the answer; before it is sent.
  virtual void add_headers(const Headers& headers) = 0;
  // Reserves memory for an answer until it is sent. False: the memory is full.
  virtual bool reserve(int64_t bytes) = 0;
  // Sends a body in parts. headers: in addition to Content-Type.
  virtual void send_parts(int status, const std::string& type, std::vector<std::string> parts,
                          const Headers& headers = {}) = 0;
  void send(int status, const std::string& type, std::string body, const Headers& headers = {}) {
    std::vector<std::string> parts;
    parts.push_back(std::move(body));
    send_parts(status, type, std::move(parts), headers);
  }
  // Begins server-sent events (WHATWG HTML, 9.2).
  virtual void begin_events() = 0;
  // data: one line. False: the memory is full, and the event is dropped.
  virtual bool event(std::string_view name, std::string_view data) = 0;
  virtual void end() = 0;
  // Bytes of events that the client has not received yet.
  virtual size_t backlog() const = 0;
  // True if the client has closed the connection.
  virtual bool is_gone() const = 0;
};

}  // namespace heed
