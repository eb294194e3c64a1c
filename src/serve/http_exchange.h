// One HTTP request and its answer, which any thread may give later.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace heed {

struct HttpRequest {
  std::string method, path;                    // "POST", "/translate"
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  // "" if there is none.
  std::string header(const std::string& name) const;
};

// The answer to a request: send() once, or begin_events(), any number of event() and end(). Every
// function may be called from any thread and does nothing once the client is gone.
class HttpReply {
 public:
  virtual ~HttpReply() = default;
  // headers: beside Content-Type.
  virtual void send(int status, const std::string& type, std::string body,
                    const std::map<std::string, std::string>& headers = {}) = 0;
  // Server-sent events (WHATWG HTML, 9.2).
  virtual void begin_events() = 0;
  virtual void event(std::string_view name, std::string_view data) = 0;  // data: one line
  virtual void end() = 0;
  // Bytes of events that the client has not taken yet.
  virtual size_t backlog() const = 0;
  // Whether the client has closed the connection.
  virtual bool is_gone() const = 0;
};

}  // namespace heed
