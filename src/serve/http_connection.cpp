#include "serve/http_connection.h"

#include <microhttpd.h>
#include <poll.h>

#include <algorithm>

#include "serve/event_text.h"

namespace heed {

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

HttpConnection::HttpConnection(MHD_Connection* connection, HttpRequest request)
    : connection_(connection),
      request_(std::move(request)),
      socket_(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd) {}

void HttpConnection::send(int status, const std::string& type, std::string body,
                          const std::map<std::string, std::string>& headers) {
  const std::lock_guard lock(mutex_);
  if (is_ready_) return;
  is_ready_ = true;
  status_ = status;
  content_ = std::move(body);
  headers_ = headers;
  headers_.emplace("Content-Type", type);
  resume();
}

void HttpConnection::begin_events() {
  const std::lock_guard lock(mutex_);
  if (is_ready_) return;
  is_ready_ = is_stream_ = true;
  status_ = MHD_HTTP_OK;
  headers_ = {{"Content-Type", "text/event-stream"},
              {"Cache-Control", "no-store"},
              {"X-Accel-Buffering", "no"}};
  resume();
}

void HttpConnection::event(std::string_view name, std::string_view data) {
  const std::lock_guard lock(mutex_);
  if (connection_ == nullptr) return;
  content_ += event_text(name, data);
  resume();
}

void HttpConnection::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  resume();
}

size_t HttpConnection::backlog() const {
  const std::lock_guard lock(mutex_);
  return content_.size();
}

bool HttpConnection::is_gone() const {
  const std::lock_guard lock(mutex_);
  if (connection_ == nullptr) return true;
  pollfd socket{.fd = socket_, .events = POLLRDHUP, .revents = 0};
  return poll(&socket, 1, 0) > 0 && (socket.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void HttpConnection::resume() {
  if (!is_suspended_ || connection_ == nullptr) return;
  is_suspended_ = false;
  MHD_resume_connection(connection_);
}

void HttpConnection::release() {
  const std::lock_guard lock(mutex_);
  connection_ = nullptr;
  content_.clear();
}

long HttpConnection::read_events(char* buffer, size_t size) {
  const std::lock_guard lock(mutex_);
  if (content_.empty() && has_ended_) return -1;
  if (content_.empty()) {
    is_suspended_ = true;
    MHD_suspend_connection(connection_);
    return 0;
  }
  const size_t count = std::min(size, content_.size());
  std::copy_n(content_.begin(), count, buffer);
  content_.erase(0, count);
  return static_cast<long>(count);
}

namespace {

using Shared = std::shared_ptr<HttpConnection>;

ssize_t read_stream(void* shared, uint64_t, char* buffer, size_t size) {
  const long count = (*static_cast<Shared*>(shared))->read_events(buffer, size);
  return count < 0 ? MHD_CONTENT_READER_END_OF_STREAM : count;
}

void free_stream(void* shared) { delete static_cast<Shared*>(shared); }

}  // namespace

MHD_Response* HttpConnection::make_response() {
  constexpr size_t kBlock = 4096;
  if (is_stream_)
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kBlock, &read_stream,
                                             new Shared(shared_from_this()), &free_stream);
  return MHD_create_response_from_buffer(content_.size(), content_.data(), MHD_RESPMEM_MUST_COPY);
}

bool HttpConnection::answer() {
  const std::lock_guard lock(mutex_);
  if (!is_ready_) {
    is_suspended_ = true;
    MHD_suspend_connection(connection_);
    return true;
  }
  MHD_Response* response = make_response();
  for (const auto& [name, value] : headers_)
    MHD_add_response_header(response, name.c_str(), value.c_str());
  const MHD_Result queued =
      MHD_queue_response(connection_, static_cast<unsigned>(status_), response);
  MHD_destroy_response(response);
  return queued == MHD_YES;
}

}  // namespace heed
