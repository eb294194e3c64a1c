// An exchange on a connection of libmicrohttpd. While the answer is not there, the connection is
// suspended: it costs no thread and no polling.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "serve/byte_queue.h"
#include "serve/connection_watch.h"
#include "serve/http_exchange.h"
#include "serve/memory_budget.h"

struct MHD_Connection;
struct MHD_Response;

namespace heed {

// Memory and deadlines that all connections of a server share.
struct ConnectionSupport {
  MemoryBudget& memory;           // of bodies and answers
  std::chrono::seconds patience;  // for a body, and for the first bytes of an answer
  ConnectionWatch watch{};

  // The most that one request may have.
  int64_t memory_of_one() const { return memory.bytes() / 4; }
};

class HttpConnection final : public HttpReply, public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(MHD_Connection* connection, HttpRequest request, ConnectionSupport& support);

  HttpRequest& request() { return request_; }

  void add_headers(const Headers& headers) override;
  bool reserve(int64_t bytes) override { return memory_.take(bytes); }
  void send_parts(int status, const std::string& type, std::vector<std::string> parts,
                  const Headers& headers) override;
  void begin_events() override;
  bool event(std::string_view name, std::string_view data) override;
  void end() override;
  size_t backlog() const override;
  bool is_gone() const override;

  // Below: called in the thread of the server.

  // Some bytes of the body, of which those beyond `limit`, and those without memory, are not kept.
  void receive(std::string_view bytes, int64_t limit);
  int64_t bytes() const { return bytes_; }             // of the body so far
  bool lacks_memory() const { return lacks_memory_; }  // for the body
  // The whole request is there, and its handler is called.
  void hand_over();
  bool is_handled() const { return is_handled_; }
  // Gives the answer to libmicrohttpd, or suspends the connection until there is one. False: the
  // connection has to be closed.
  bool answer();
  // The connection belongs to no request any more.
  void release();
  // The next bytes of events, or of a long body: their number, 0 if the connection was suspended, -1
  // at the end.
  long read(char* buffer, size_t size);

 private:
  void resume();
  MHD_Response* make_response();
  // The client has to take what there is within a time that grows with it.
  void expect_reading();

  MHD_Connection* connection_;  // null once it is released
  HttpRequest request_;
  ConnectionSupport& support_;
  MemoryShare memory_;
  int socket_;
  int64_t bytes_ = 0;
  bool is_handled_ = false, lacks_memory_ = false;
  mutable std::mutex mutex_;
  bool is_suspended_ = false, is_ready_ = false, is_stream_ = false, has_ended_ = false;
  int status_ = 0;
  ByteQueue content_;  // the body, or the events that were not sent yet
  Headers headers_, added_headers_;
};

}  // namespace heed
