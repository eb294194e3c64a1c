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
#include <utility>

#include "base/error.h"
#include "serve/error_reply.h"
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

using Headers = std::multimap<std::string, std::string>;

Headers headers_of(MHD_Connection* connection) {
  Headers headers;
  const auto add = [](void* map, MHD_ValueKind, const char* name, const char* value) {
    std::string key = name;
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return std::tolower(c); });
    static_cast<Headers*>(map)->emplace(key, value == nullptr ? "" : value);
    return MHD_YES;
  };
  MHD_get_connection_values(connection, MHD_HEADER_KIND, +add, &headers);
  return headers;
}

// Of a longer body, so much is read and dropped that most clients have sent it and read the answer;
// what is longer still is not read.
constexpr int64_t kReadBeyond = 16;

bool is_announced_too_long(const HttpRequest& request, int64_t limit) {
  constexpr size_t kDigits = 18;  // that fit in a number
  const std::string length = request.header("content-length");
  return length.size() > kDigits ||
         (!length.empty() && std::atoll(length.c_str()) > kReadBeyond * limit);
}

// Whether a proxy before this server could take another length of the body (RFC 9112, 6.3).
bool has_ambiguous_length(const Headers& headers) {
  const size_t lengths = headers.count("content-length");
  return lengths > 1 || (lengths > 0 && headers.contains("transfer-encoding"));
}

HttpError ambiguous_length() {
  return {HttpStatus::kBadRequest, "the length of the body is given more than once"};
}

HttpError too_long(int64_t limit) {
  return {HttpStatus::kContentTooLarge,
          fmt::format("the body is longer than {} bytes; send fewer texts", limit)};
}

// The path is a C string, which an escaped NUL would cut off: such a path stays escaped.
size_t unescape(void*, MHD_Connection*, char* text) {
  return std::strstr(text, "%00") == nullptr ? MHD_http_unescape(text) : std::strlen(text);
}

}  // namespace

struct HttpServer::Daemon {
  Daemon(const HttpOptions& o, Handler h) : options(o), handler(std::move(h)) {}

  MHD_Result begin(MHD_Connection* connection, const char* method, const char* path, void** slot);
  // size: of the data, set to what is left of it.
  MHD_Result proceed(const Exchange& exchange, const char* data, size_t& size);
  MHD_Result receive(HttpConnection& exchange, const char* data, size_t size) const;
  MHD_Result finish(const Exchange& exchange);
  void refuse(HttpConnection& exchange, const HttpError& error) const;
  void completed(void** slot);
  void start();

  const HttpOptions options;
  const Handler handler;
  MHD_Daemon* daemon = nullptr;
  std::atomic<int64_t> active = 0;  // accepted requests that are not answered
  std::atomic<bool> is_draining = false;
};

MHD_Result HttpServer::Daemon::begin(MHD_Connection* connection, const char* method,
                                     const char* path, void** slot) {
  const Headers headers = headers_of(connection);
  const auto exchange = std::make_shared<HttpConnection>(
      connection,
      HttpRequest{
          .method = method, .path = path, .headers = {headers.begin(), headers.end()}, .body = ""});
  *slot = new Exchange(exchange);
  if (has_ambiguous_length(headers))
    refuse(*exchange, ambiguous_length());
  else if (is_announced_too_long(exchange->request(), options.body))
    refuse(*exchange, too_long(options.body));
  else
    return MHD_YES;
  return exchange->answer() ? MHD_YES : MHD_NO;
}

MHD_Result HttpServer::Daemon::proceed(const Exchange& exchange, const char* data, size_t& size) {
  if (size > 0) return receive(*exchange, data, std::exchange(size, 0));
  if (!exchange->is_handled()) return finish(exchange);
  return exchange->answer() ? MHD_YES : MHD_NO;
}

MHD_Result HttpServer::Daemon::receive(HttpConnection& exchange, const char* data,
                                       size_t size) const {
  const bool is_slow = std::chrono::steady_clock::now() - exchange.begun() > options.patience;
  exchange.count_bytes(static_cast<int64_t>(size));
  if (is_slow || exchange.bytes() > kReadBeyond * options.body) return MHD_NO;
  if (exchange.bytes() <= options.body) exchange.request().body.append(data, size);
  return MHD_YES;
}

MHD_Result HttpServer::Daemon::finish(const Exchange& exchange) {
  exchange->hand_over();
  ++active;  // before is_draining is read: drain() sets that before it reads this
  if (is_draining)
    refuse(*exchange, {HttpStatus::kUnavailable, "the server is ending"});
  else if (exchange->bytes() > options.body)
    refuse(*exchange, too_long(options.body));
  else
    handler(std::move(exchange->request()), exchange);
  return exchange->answer() ? MHD_YES : MHD_NO;
}

void HttpServer::Daemon::refuse(HttpConnection& exchange, const HttpError& error) const {
  options.refused(exchange.request().path, error.status());
  send_last_error(exchange, error);
}

void HttpServer::Daemon::completed(void** slot) {
  const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*slot));
  if (!exchange) return;
  *slot = nullptr;
  (*exchange)->release();
  if (!(*exchange)->is_handled()) return;
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
    try {
      if (*slot == nullptr) return daemon.begin(connection, method, path, slot);
      return daemon.proceed(*static_cast<Exchange*>(*slot), data, *size);
    } catch (const std::exception&) {
      return MHD_NO;  // there is no memory: the connection is closed
    }
  };
  const MHD_RequestCompletedCallback completed = [](void* self, MHD_Connection*, void** slot,
                                                    MHD_RequestTerminationCode) {
    static_cast<Daemon*>(self)->completed(slot);
  };
  daemon = MHD_start_daemon(
      flags, 0, nullptr, nullptr, access, this, MHD_OPTION_SOCK_ADDR, address->ai_addr,
      MHD_OPTION_NOTIFY_COMPLETED, completed, this, MHD_OPTION_UNESCAPE_CALLBACK, &unescape,
      nullptr, MHD_OPTION_CONNECTION_LIMIT, limit,
      // One client alone cannot take all connections.
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, limit / 2, MHD_OPTION_CONNECTION_TIMEOUT,
      static_cast<unsigned>(options.patience.count()), MHD_OPTION_END);
  if (daemon != nullptr) return;
  const int reason = errno;
  if (reason == EADDRNOTAVAIL)
    throw_error(ErrorKind::kUsage, "--host {}: is no address of this machine", options.host);
  throw_error(ErrorKind::kIo,
              "--port {}: cannot listen on {} ({}); another program may use the port: give "
              "another --port, or 0 for a free one",
              options.port, options.host, std::strerror(reason));
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
