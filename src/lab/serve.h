// An HTTP server for one page, on this machine's loopback and nowhere else. It answers only who
// knows its secret address and asks from that page: docs/viewer.md, "The server".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tenpin::lab {

// A socket that listens on 127.0.0.1. Made before the server, so that a port in use is known before
// anything else is begun.
class LoopbackSocket {
 public:
  // Port 0 takes any free one. Throws std::system_error.
  explicit LoopbackSocket(std::uint16_t port);
  ~LoopbackSocket();
  LoopbackSocket(LoopbackSocket&& other) noexcept;
  LoopbackSocket& operator=(LoopbackSocket&&) = delete;
  LoopbackSocket(const LoopbackSocket&) = delete;
  LoopbackSocket& operator=(const LoopbackSocket&) = delete;

  std::uint16_t port() const { return port_; }
  // Hands the descriptor over.
  [[nodiscard]] int release();

 private:
  int fd_ = -1;
  std::uint16_t port_ = 0;
};

// 128 random bits in hexadecimal.
[[nodiscard]] std::string make_secret();

// Where a browser finds the page.
[[nodiscard]] std::string make_page_address(std::uint16_t port, const std::string& secret);

struct HttpReply {
  unsigned status = 200;
  std::string_view type;  // of the content
  std::string body;
};

// What the page asked for: the part of the address behind the secret, and the query behind its '?'.
// Nothing means that there is no such thing.
using HttpHandler =
    std::function<std::optional<HttpReply>(std::string_view name, std::string_view query)>;

// Bounds on what others can make the server hold or wait for.
struct ServeLimits {
  std::size_t connections = 64;       // beyond: the one that has been silent longest is closed
  std::uint32_t header_bytes = 8192;  // of a request; a request has no body
  double request_seconds = 10.0;      // for a request to come in
  double reply_seconds = 30.0;        // for a reply to be taken
};

// Serves until go_on(), which is asked ten times a second, says no. One thread, no locks: a handler
// may take its time, the others wait.
void serve_loopback(LoopbackSocket socket, const std::string& secret, const HttpHandler& handler,
                    const std::function<bool()>& go_on, const ServeLimits& limits = {});

}  // namespace tenpin::lab
