#include "serve/http_connection.h"

#include <microhttpd.h>

#include <algorithm>

#include "base/system/system.h"
#include "serve/event_text.h"

namespace heed {

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

HttpConnection::HttpConnection(MHD_Connection* connection, HttpRequest request,
                               ConnectionSupport& support)
    : connection_(connection),
      request_(std::move(request)),
      support_(support),
      memory_(support.memory, support.memory_of_one()),
      socket_(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd) {
  support_.watch.expect(socket_, ConnectionWatch::Clock::now() + support_.patience);
}

void HttpConnection::receive(std::string_view bytes, int64_t limit) {
  constexpr int64_t kCopies = 3;  // the body, its JSON, and lines that wait
  bytes_ += std::ssize(bytes);
  if (bytes_ <= limit && !lacks_memory_ && memory_.take(kCopies * std::ssize(bytes))) {
    request_.body.append(bytes);
    return;
  }
  lacks_memory_ |= bytes_ <= limit;
  memory_.give_back(memory_.bytes());
  std::string().swap(request_.body);
}

void HttpConnection::hand_over() {
  is_handled_ = true;
  support_.watch.forget(socket_);
}

void HttpConnection::expect_reading() {
  constexpr int64_t kBytesPerSecond = 16 << 10;
  const auto seconds =
      std::chrono::seconds(static_cast<int64_t>(content_.size()) / kBytesPerSecond);
  support_.watch.expect(socket_, ConnectionWatch::Clock::now() + support_.patience + seconds);
}

void HttpConnection::add_headers(const Headers& headers) {
  const std::lock_guard lock(mutex_);
  added_headers_.insert(headers.begin(), headers.end());
}

void HttpConnection::send_parts(int status, const std::string& type, std::vector<std::string> parts,
                                const Headers& headers) {
  const std::lock_guard lock(mutex_);
  if (is_ready_) return;
  is_ready_ = has_ended_ = true;
  status_ = status;
  for (std::string& part : parts) content_.add(std::move(part));
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

bool HttpConnection::event(std::string_view name, std::string_view data) {
  std::string text = event_text(name, data);
  const std::lock_guard lock(mutex_);
  if (connection_ == nullptr) return true;
  if (!memory_.take(std::ssize(text))) return false;
  content_.add(std::move(text));
  resume();
  return true;
}

void HttpConnection::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  if (connection_ != nullptr) expect_reading();
  resume();
}

size_t HttpConnection::backlog() const {
  const std::lock_guard lock(mutex_);
  return content_.size();
}

bool HttpConnection::is_gone() const {
  const std::lock_guard lock(mutex_);
  return connection_ == nullptr || has_hung_up(socket_);
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

long HttpConnection::read(char* buffer, size_t size) {
  const std::lock_guard lock(mutex_);
  if (content_.size() == 0 && has_ended_) return -1;
  if (content_.size() == 0) {
    is_suspended_ = true;
    MHD_suspend_connection(connection_);
    return 0;
  }
  const auto count = static_cast<int64_t>(content_.take(buffer, size));
  if (is_stream_) memory_.give_back(count);
  return count;
}

namespace {

using Shared = std::shared_ptr<HttpConnection>;

ssize_t read_stream(void* shared, uint64_t, char* buffer, size_t size) {
  const long count = (*static_cast<Shared*>(shared))->read(buffer, size);
  return count < 0 ? MHD_CONTENT_READER_END_OF_STREAM : count;
}

void free_stream(void* shared) { delete static_cast<Shared*>(shared); }

}  // namespace

MHD_Response* HttpConnection::make_response() {
  constexpr size_t kShort = 64 << 10, kBlock = 32 << 10, kEvents = 4096;
  if (!is_stream_ && content_.size() <= kShort) {
    std::string body = content_.take_all();
    return MHD_create_response_from_buffer(body.size(), body.data(), MHD_RESPMEM_MUST_COPY);
  }
  return MHD_create_response_from_callback(is_stream_ ? MHD_SIZE_UNKNOWN : content_.size(),
                                           is_stream_ ? kEvents : kBlock, &read_stream,
                                           new Shared(shared_from_this()), &free_stream);
}

bool HttpConnection::answer() {
  const std::lock_guard lock(mutex_);
  if (!is_ready_) {
    is_suspended_ = true;
    MHD_suspend_connection(connection_);
    return true;
  }
  if (has_ended_) expect_reading();
  MHD_Response* response = make_response();
  headers_.insert(added_headers_.begin(), added_headers_.end());
  for (const auto& [name, value] : headers_)
    MHD_add_response_header(response, name.c_str(), value.c_str());
  const MHD_Result queued =
      MHD_queue_response(connection_, static_cast<unsigned>(status_), response);
  MHD_destroy_response(response);
  return queued == MHD_YES;
}

}  // namespace heed
