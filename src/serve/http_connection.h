// An exchange on a connection of libmicrohttpd. While the answer is not there, the connection is
// suspended: it costs no thread and no polling.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "serve/http_exchange.h"

struct MHD_Connection;
struct MHD_Response;

namespace heed {

class HttpConnection final : public HttpReply, public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(MHD_Connection* connection, HttpRequest request);

  HttpRequest& request() { return request_; }
  std::chrono::steady_clock::time_point begun() const { return begun_; }

  void send(int status, const std::string& type, std::string body,
            const std::map<std::string, std::string>& headers) override;
  void begin_events() override;
  void event(std::string_view name, std::string_view data) override;
  void end() override;
  size_t backlog() const override;
  bool is_gone() const override;

  // Below: called in the thread of the server.

  // Bytes of the body so far, of which those of a body that is too long are not kept.
  void count_bytes(int64_t bytes) { bytes_ += bytes; }
  int64_t bytes() const { return bytes_; }
  // The whole request is there, and its handler is called.
  void hand_over() { is_handled_ = true; }
  bool is_handled() const { return is_handled_; }
  // Gives the answer to libmicrohttpd, or suspends the connection until there is one. False: the
  // connection has to be closed.
  bool answer();
  // The connection belongs to no request any more.
  void release();
  // The next bytes of events: their number, 0 if the connection was suspended, -1 at the end.
  long read_events(char* buffer, size_t size);

 private:
  void resume();
  MHD_Response* make_response();

  MHD_Connection* connection_;  // null once it is released
  HttpRequest request_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  int socket_;
  int64_t bytes_ = 0;
  bool is_handled_ = false;
  mutable std::mutex mutex_;
  bool is_suspended_ = false, is_ready_ = false, is_stream_ = false, has_ended_ = false;
  int status_ = 0;
  std::string content_;  // the body, or the events that were not sent yet
  std::map<std::string, std::string> headers_;
};

}  // namespace heed
