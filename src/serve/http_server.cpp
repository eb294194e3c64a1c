#include "serve/http_server.h"

#include <microhttpd.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/system/system.h"
#include "serve/error_reply.h"
#include "serve/http_connection.h"
#include "serve/http_framing.h"
#include "serve/listener.h"

namespace heed {

namespace {

using Exchange = std::shared_ptr<HttpConnection>;

// Raises the soft limit of open files. A connection needs one file; some files are left for other
// purposes.
unsigned connection_limit() {
  constexpr rlim_t kMost = 10'000, kOthers = 64;
  const auto open = static_cast<rlim_t>(open_descriptors());
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, kMost + open + kOthers));
  setrlimit(RLIMIT_NOFILE, &files);
  getrlimit(RLIMIT_NOFILE, &files);
  const rlim_t free = files.rlim_cur - std::min(files.rlim_cur, open);
  return static_cast<unsigned>(std::clamp<rlim_t>(free - std::min(kOthers, free / 2), 2, kMost));
}

HeaderLines headers_of(MHD_Connection* connection) {
  HeaderLines headers;
  const auto add = [](void* map, MHD_ValueKind, const char* name, const char* value) {
    std::string key = name;
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return std::tolower(c); });
    static_cast<HeaderLines*>(map)->emplace(key, value == nullptr ? "" : value);
    return MHD_YES;
  };
  MHD_get_connection_values(connection, MHD_HEADER_KIND, +add, &headers);
  return headers;
}

std::map<std::string, std::string> query_of(MHD_Connection* connection) {
  std::map<std::string, std::string> query;
  const auto add = [](void* map, MHD_ValueKind, const char* name, const char* value) {
    static_cast<std::map<std::string, std::string>*>(map)->emplace(name,
                                                                   value == nullptr ? "" : value);
    return MHD_YES;
  };
  MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, +add, &query);
  return query;
}

// A longer body is read and dropped up to this multiple of the limit, so that most clients finish
// sending and read the answer. The rest is not read.
constexpr int64_t kReadBeyond = 16;

bool is_announced_too_long(const HttpRequest& request, int64_t limit) {
  constexpr size_t kDigits = 18;  // that fit in a number
  const std::string length = request.header("content-length");
  return length.size() > kDigits ||
         (!length.empty() && std::atoll(length.c_str()) > kReadBeyond * limit);
}

HttpError too_long(int64_t limit) {
  return {HttpStatus::kContentTooLarge,
          fmt::format("the body is longer than {} bytes; send fewer texts", limit)};
}

HttpError lacks_memory() {
  return {HttpStatus::kTooManyRequests,
          "requests and answers take all memory (--max-memory); send the request again later"};
}

// An escaped NUL would end the path, which is a C string: such a path stays escaped.
size_t unescape(void*, MHD_Connection*, char* text) {
  return std::strstr(text, "%00") == nullptr ? MHD_http_unescape(text) : std::strlen(text);
}

}  // namespace

struct HttpServer::Daemon {
  Daemon(const HttpOptions& o, Handler h)
      : options(o),
        handler(std::move(h)),
        support{.memory = o.memory, .patience = o.patience},
        listener(o.host, o.port) {}

  MHD_Result begin(MHD_Connection* connection, const char* method, const char* path, void** slot);
  // size: of the data; receives the number of bytes that were not processed.
  MHD_Result proceed(const Exchange& exchange, const char* data, size_t& size);
  MHD_Result receive(HttpConnection& exchange, std::string_view data) const;
  MHD_Result finish(const Exchange& exchange);
  void refuse(HttpConnection& exchange, const HttpError& error) const;
  void completed(MHD_Connection* connection, void** slot);
  // Called when a connection begins or ends.
  void changed(MHD_Connection* connection, MHD_ConnectionNotificationCode how);
  void start();

  const HttpOptions options;
  const Handler handler;
  ConnectionSupport support;
  MHD_Daemon* daemon = nullptr;
  Listener listener;
  std::atomic<int64_t> active = 0;  // accepted requests that are not answered
  std::atomic<bool> is_draining = false;
};

MHD_Result HttpServer::Daemon::begin(MHD_Connection* connection, const char* method,
                                     const char* path, void** slot) {
  const HeaderLines headers = headers_of(connection);
  const auto exchange =
      std::make_shared<HttpConnection>(connection,
                                       HttpRequest{.method = method,
                                                   .path = path,
                                                   .headers = {headers.begin(), headers.end()},
                                                   .body = "",
                                                   .query = query_of(connection)},
                                       support);
  *slot = new Exchange(exchange);
  if (const auto problem = framing_problem(headers))
    refuse(*exchange, *problem);
  else if (is_announced_too_long(exchange->request(), options.body))
    refuse(*exchange, too_long(options.body));
  else
    return MHD_YES;
  return exchange->answer() ? MHD_YES : MHD_NO;
}

MHD_Result HttpServer::Daemon::proceed(const Exchange& exchange, const char* data, size_t& size) {
  if (size > 0) return receive(*exchange, {data, std::exchange(size, 0)});
  if (!exchange->is_handled()) return finish(exchange);
  return exchange->answer() ? MHD_YES : MHD_NO;
}

MHD_Result HttpServer::Daemon::receive(HttpConnection& exchange, std::string_view data) const {
  exchange.receive(data, options.body);
  return exchange.bytes() > kReadBeyond * options.body ? MHD_NO : MHD_YES;
}

MHD_Result HttpServer::Daemon::finish(const Exchange& exchange) {
  exchange->hand_over();
  ++active;  // before is_draining is read: drain() sets that before it reads this
  if (is_draining)
    refuse(*exchange, {HttpStatus::kUnavailable, "the server is ending"});
  else if (exchange->bytes() > options.body)
    refuse(*exchange, too_long(options.body));
  else if (exchange->lacks_memory())
    refuse(*exchange, lacks_memory());
  else
    handler(std::move(exchange->request()), exchange);
  return exchange->answer() ? MHD_YES : MHD_NO;
}

void HttpServer::Daemon::refuse(HttpConnection& exchange, const HttpError& error) const {
  options.refused(exchange.request().path, error);
  send_last_error(exchange, error, exchange.request().path);
}

void HttpServer::Daemon::completed(MHD_Connection* connection, void** slot) {
  const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*slot));
  if (!exchange) return;
  *slot = nullptr;
  (*exchange)->release();
  changed(connection, MHD_CONNECTION_NOTIFY_STARTED);  // the next request may follow
  if (!(*exchange)->is_handled()) return;
  --active;
  active.notify_all();
}

void HttpServer::Daemon::changed(MHD_Connection* connection, MHD_ConnectionNotificationCode how) {
  const int socket =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
  if (how == MHD_CONNECTION_NOTIFY_STARTED)
    support.watch.expect(socket, ConnectionWatch::Clock::now() + options.patience);
  else
    support.watch.forget(socket);
}

void HttpServer::Daemon::start() {
  const unsigned limit = connection_limit();
  unsigned flags =
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;
  if (listener.is_ipv6()) flags |= MHD_USE_IPv6;
  const MHD_AccessHandlerCallback access = [](void* self, MHD_Connection* connection,
                                              const char* path, const char* method, const char*,
                                              const char* data, size_t* size, void** slot) {
    auto& daemon = *static_cast<Daemon*>(self);
    try {
      if (*slot == nullptr) return daemon.begin(connection, method, path, slot);
      return daemon.proceed(*static_cast<Exchange*>(*slot), data, *size);
    } catch (const std::exception&) {
      return MHD_NO;  // out of memory: the connection is closed
    }
  };
  const MHD_RequestCompletedCallback completed = [](void* self, MHD_Connection* connection,
                                                    void** slot, MHD_RequestTerminationCode) {
    static_cast<Daemon*>(self)->completed(connection, slot);
  };
  const MHD_NotifyConnectionCallback changed = [](void* self, MHD_Connection* connection, void**,
                                                  MHD_ConnectionNotificationCode how) {
    static_cast<Daemon*>(self)->changed(connection, how);
  };
  daemon = MHD_start_daemon(
      flags, 0, nullptr, nullptr, access, this, MHD_OPTION_NOTIFY_COMPLETED, completed, this,
      MHD_OPTION_NOTIFY_CONNECTION, changed, this, MHD_OPTION_UNESCAPE_CALLBACK, &unescape, nullptr,
      MHD_OPTION_CONNECTION_LIMIT, limit,
      // Prevents one client from taking all connections.
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, limit / 2, MHD_OPTION_CONNECTION_TIMEOUT,
      static_cast<unsigned>(options.patience.count()), MHD_OPTION_END);
  if (daemon == nullptr)
    throw_error(ErrorKind::kFailure, "the HTTP server cannot start: {}", std::strerror(errno));
  listener.start(
      [this](const Listener::Accepted& client) {
        MHD_add_connection(daemon, client.socket,
                           reinterpret_cast<const sockaddr*>(&client.address), client.address_size);
      },
      [this] { support.watch.close_late(); });
}

HttpServer::HttpServer(const HttpOptions& options, Handler handler)
    : daemon_(std::make_unique<Daemon>(options, std::move(handler))) {
  daemon_->start();
}

HttpServer::~HttpServer() { drain(); }

int64_t HttpServer::port() const { return daemon_->listener.port(); }

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
  daemon_->listener.end();
  for (int64_t active = daemon_->active; active > 0; active = daemon_->active)
    daemon_->active.wait(active);
  MHD_stop_daemon(daemon_->daemon);
  daemon_->daemon = nullptr;
}

}  // namespace heed
