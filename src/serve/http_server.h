// HTTP/1.1 over libmicrohttpd, which only this file and http_connection.cpp use. One thread serves
// all connections, so a slow client takes a connection but no thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "request/http_error.h"
#include "serve/http_exchange.h"
#include "serve/memory_budget.h"

namespace heed {

struct HttpOptions {
  std::string host = "127.0.0.1";  // address to listen on, IPv4 or IPv6
  int64_t port = 8080;             // 0: a free one
  int64_t body = 1 << 20;          // bytes of the longest body; longer ones get status 413
  // Time limit for the next bytes of a client, for all headers, for a whole body, and for the first
  // bytes of an answer. A client has to read 16 kB of an answer per second.
  std::chrono::seconds patience{30};
  MemoryBudget& memory;  // of bodies and answers, of which one request may have a quarter
  // Told of each request that the server itself answers, in its thread.
  std::function<void(const std::string& path, const HttpError& error)> refused = [](auto&&...) {};
};

class HttpServer {
 public:
  // Called in the server's thread when a request is complete; must not wait for anything.
  using Handler = std::function<void(HttpRequest, std::shared_ptr<HttpReply>)>;

  // Listens. Throws Error(kUsage) for a host that is not an address of this machine, Error(kIo) for
  // a port that is not available.
  HttpServer(const HttpOptions& options, Handler handler);
  ~HttpServer();  // drain()
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int64_t port() const;
  // http://127.0.0.1:8080/
  std::string address() const;
  int64_t connections() const;
  // Stops accepting connections, waits until all requests that were received completely are
  // answered, and ends the server.
  void drain();

 private:
  struct Daemon;
  std::unique_ptr<Daemon> daemon_;
};

}  // namespace heed
