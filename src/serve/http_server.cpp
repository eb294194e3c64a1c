#include "serve/http_server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netdb.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "serve/http_connection.h"

namespace heed {

namespace {

using Exchange = std::shared_ptr<HttpConnection>;
using Address = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Address find_address(const HttpOptions& options) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  const int error =
      getaddrinfo(options.host.c_str(), std::to_string(options.port).c_str(), &wanted, &found);
  if (error != 0)
    throw_error(ErrorKind::kUsage, "--host {}: {}; expected an address or name of this machine",
                options.host, gai_strerror(error));
  return {found, &freeaddrinfo};
}

// As many connections as there can be files, but for those that are needed otherwise.
unsigned connection_limit() {
  constexpr rlim_t kOthers = 64, kMost = 10'000;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  return static_cast<unsigned>(std::clamp<rlim_t>(files.rlim_cur, 2 * kOthers, kMost) - kOthers);
}

std::map<std::string, std::string> headers_of(MHD_Connection* connection) {
  std::map<std::string, std::string> headers;
  const auto add = [](void* map, MHD_ValueKind, const char* name, const char* value) {
    std::string key = name;
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return std::tolower(c); });
    static_cast<decltype(headers)*>(map)->emplace(key, value == nullptr ? "" : value);
    return MHD_YES;
  };
  MHD_get_connection_values(connection, MHD_HEADER_KIND, +add, &headers);
  return headers;
}

// A body that is announced as longer, or in a form that is no length.
bool is_announced_longer(const HttpRequest& request, int64_t limit) {
  const std::string length = request.header("content-length");
  return length.size() > 18 || (!length.empty() && std::atoll(length.c_str()) > limit);
}

void refuse_length(HttpReply& reply, int64_t limit) {
  reply.send(
      MHD_HTTP_CONTENT_TOO_LARGE, "application/json",
      fmt::format(R"({{"error": "the body is longer than {} bytes; send fewer texts"}})", limit),
      {{"Connection", "close"}});
}

}  // namespace

struct HttpServer::Daemon {
  Daemon(const HttpOptions& o, Handler h) : options(o), handler(std::move(h)) {}

  MHD_Result begin(MHD_Connection* connection, const char* method, const char* path, void** slot);
  MHD_Result receive(HttpConnection& exchange, const char* data, size_t size) const;
  MHD_Result finish(const Exchange& exchange) const;
  void completed(void** slot);
  void start();

  const HttpOptions options;
  const Handler handler;
  MHD_Daemon* daemon = nullptr;
  std::atomic<int64_t> active = 0;  // requests that are not answered
  std::atomic<bool> is_draining = false;
};

MHD_Result HttpServer::Daemon::begin(MHD_Connection* connection, const char* method,
                                     const char* path, void** slot) {
  const auto exchange = std::make_shared<HttpConnection>(
      connection,
      HttpRequest{.method = method, .path = path, .headers = headers_of(connection), .body = ""});
  *slot = new Exchange(exchange);
  ++active;
  if (!is_announced_longer(exchange->request(), options.body)) return MHD_YES;
  refuse_length(*exchange, options.body);
  return exchange->answer() ? MHD_YES : MHD_NO;
}

MHD_Result HttpServer::Daemon::receive(HttpConnection& exchange, const char* data,
                                       size_t size) const {
  const bool is_slow = std::chrono::steady_clock::now() - exchange.begun() > options.patience;
  // What is announced in chunks has no length before it has come: a little of it is still read, so
  // that the client can receive the answer.
  std::string& body = exchange.request().body;
  if (is_slow || body.size() > 2 * static_cast<size_t>(options.body)) return MHD_NO;
  body.append(data, size);
  return MHD_YES;
}

MHD_Result HttpServer::Daemon::finish(const Exchange& exchange) const {
  exchange->hand_over();
  if (is_draining)
    exchange->send(MHD_HTTP_SERVICE_UNAVAILABLE, "application/json",
                   R"({"error": "the server is ending"})", {{"Connection", "close"}});
  else if (std::ssize(exchange->request().body) > options.body)
    refuse_length(*exchange, options.body);
  else
    handler(std::move(exchange->request()), exchange);
  return exchange->answer() ? MHD_YES : MHD_NO;
}

void HttpServer::Daemon::completed(void** slot) {
  const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*slot));
  if (!exchange) return;
  *slot = nullptr;
  (*exchange)->release();
  --active;
  active.notify_all();
}

void HttpServer::Daemon::start() {
  const Address address = find_address(options);
  const unsigned limit = connection_limit();
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (address->ai_family == AF_INET6) flags |= MHD_USE_IPv6;
  const MHD_AccessHandlerCallback access = [](void* self, MHD_Connection* connection,
                                              const char* path, const char* method, const char*,
                                              const char* data, size_t* size, void** slot) {
    auto& daemon = *static_cast<Daemon*>(self);
    if (*slot == nullptr) return daemon.begin(connection, method, path, slot);
    const Exchange exchange = *static_cast<Exchange*>(*slot);
    if (*size > 0) {
      const size_t count = *size;
      *size = 0;
      return daemon.receive(*exchange, data, count);
    }
    if (exchange->is_handled()) return exchange->answer() ? MHD_YES : MHD_NO;
    return daemon.finish(exchange);
  };
  const MHD_RequestCompletedCallback completed = [](void* self, MHD_Connection*, void** slot,
                                                    MHD_RequestTerminationCode) {
    static_cast<Daemon*>(self)->completed(slot);
  };
  daemon = MHD_start_daemon(
      flags, 0, nullptr, nullptr, access, this, MHD_OPTION_SOCK_ADDR, address->ai_addr,
      MHD_OPTION_NOTIFY_COMPLETED, completed, this, MHD_OPTION_CONNECTION_LIMIT, limit,
      // One client alone cannot take all connections.
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, limit / 2, MHD_OPTION_CONNECTION_TIMEOUT,
      static_cast<unsigned>(options.patience.count()), MHD_OPTION_LISTENING_ADDRESS_REUSE, 0U,
      MHD_OPTION_END);
  if (daemon == nullptr)
    throw_error(ErrorKind::kIo,
                "--port {}: cannot listen on {} ({}); another program may use the port: give "
                "another --port, or 0 for a free one",
                options.port, options.host, std::strerror(errno));
}

HttpServer::HttpServer(const HttpOptions& options, Handler handler)
    : daemon_(std::make_unique<Daemon>(options, std::move(handler))) {
  daemon_->start();
}

HttpServer::~HttpServer() { drain(); }

int64_t HttpServer::port() const {
  return MHD_get_daemon_info(daemon_->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

std::string HttpServer::address() const {
  const std::string& host = daemon_->options.host;
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port());
}

int64_t HttpServer::connections() const {
  return MHD_get_daemon_info(daemon_->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS)->num_connections;
}

void HttpServer::drain() {
  if (daemon_->daemon == nullptr) return;
  daemon_->is_draining = true;
  const MHD_socket listening = MHD_quiesce_daemon(daemon_->daemon);
  if (listening != MHD_INVALID_SOCKET) close(listening);
  for (int64_t active = daemon_->active; active > 0; active = daemon_->active)
    daemon_->active.wait(active);
  MHD_stop_daemon(daemon_->daemon);
  daemon_->daemon = nullptr;
}

}  // namespace heed
