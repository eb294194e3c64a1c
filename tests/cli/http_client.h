// Client of a server on this host. It sends and receives bytes, so that a test sees what is sent.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace heed {

struct HttpAnswer {
  int status = 0;    // 0: the connection was closed without a response
  std::string head;  // status line and headers
  std::string body;  // without the framing of chunks
  nlohmann::json json() const { return nlohmann::json::parse(body); }
};

class Connection {
 public:
  explicit Connection(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& bytes) const {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<size_t>(count);
    }
  }
  // Receives the next bytes that arrive.
  std::string receive_some() const {
    char buffer[4096];
    const ssize_t count = recv(socket_, buffer, sizeof(buffer), 0);
    return {buffer, static_cast<size_t>(std::max<ssize_t>(0, count))};
  }
  // Receives everything until the server closes the connection.
  std::string receive() const {
    std::string all;
    char buffer[4096];
    for (ssize_t count; (count = recv(socket_, buffer, sizeof(buffer), 0)) > 0;)
      all.append(buffer, static_cast<size_t>(count));
    return all;
  }

 private:
  int socket_;
};

inline std::string without_chunks(const std::string& framed) {
  std::string body;
  for (size_t position = 0; position < framed.size();) {
    const size_t line = framed.find("\r\n", position);
    const size_t size = std::stoul(framed.substr(position, line - position), nullptr, 16);
    if (size == 0) break;
    body += framed.substr(line + 2, size);
    position = line + 2 + size + 2;
  }
  return body;
}

inline HttpAnswer parse_answer(const std::string& bytes) {
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos) return {};
  HttpAnswer answer{std::stoi(bytes.substr(9, 3)), bytes.substr(0, end), bytes.substr(end + 4)};
  if (answer.head.find("chunked") != std::string::npos) answer.body = without_chunks(answer.body);
  return answer;
}

using HttpHeaders = std::map<std::string, std::string>;

inline std::string http_request(const std::string& method, const std::string& path,
                                const std::string& body, const HttpHeaders& headers = {}) {
  std::string text = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + body;
}

}  // namespace heed
