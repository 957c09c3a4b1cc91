// An HTTP server for one page, on this machine's loopback interface only. It answers only requests
// that know its secret address and come from that page: docs/viewer.md, "The server".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tenpin::lab {

// A socket that listens on 127.0.0.1. It is created before the server, so that a port in use is
// reported before anything else starts.
class LoopbackSocket {
 public:
  // Port 0 selects any free port. Throws std::system_error.
  explicit LoopbackSocket(std::uint16_t port);
  ~LoopbackSocket();
  LoopbackSocket(LoopbackSocket&& other) noexcept;
  LoopbackSocket& operator=(LoopbackSocket&&) = delete;
  LoopbackSocket(const LoopbackSocket&) = delete;
  LoopbackSocket& operator=(const LoopbackSocket&) = delete;

  std::uint16_t port() const { return port_; }
  // Transfers ownership of the descriptor to the caller.
  [[nodiscard]] int release();

 private:
  int fd_ = -1;
  std::uint16_t port_ = 0;
};

// Returns 128 random bits as hexadecimal text.
[[nodiscard]] std::string make_secret();

// Returns the address of the page for a browser.
[[nodiscard]] std::string make_page_address(std::uint16_t port, const std::string& secret);

struct HttpReply {
  unsigned status = 200;
  std::string_view type;  // of the content
  std::string body;
};

// Answers a request of the page, given the part of the address after the secret, and the query
// after '?'. Returns nothing for "not found".
using HttpHandler =
    std::function<std::optional<HttpReply>(std::string_view name, std::string_view query)>;

// Limits on what others can make the server store or wait for.
struct ServeLimits {
  std::size_t connections = 64;       // beyond this, the connection idle for longest is closed
  std::uint32_t header_bytes = 8192;  // of a request; a request has no body
  double request_seconds = 10.0;      // s   for a request to arrive
  double reply_seconds = 30.0;        // s   for a reply to be received
};

// Serves until go_on(), which is called ten times a second, returns false. It uses one thread and
// no locks: while a handler works, other requests wait.
void serve_loopback(LoopbackSocket socket, const std::string& secret, const HttpHandler& handler,
                    const std::function<bool()>& go_on, const ServeLimits& limits = {});

struct ServedPage {
  std::uint16_t port = 0;
  std::string secret;
};

// The bytes that a connection would return if it received exactly these bytes, for tests without
// sockets. "" if it would be closed without a reply.
[[nodiscard]] std::string answer_bytes(std::string_view bytes, const ServedPage& page,
                                       const HttpHandler& handler, const ServeLimits& limits = {});

}  // namespace tenpin::lab
