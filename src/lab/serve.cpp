#include "lab/serve.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <list>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include "base/check.h"

namespace tenpin::lab {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;
using Parser = http::request_parser<http::empty_body>;

constexpr int kBacklog = 128;
constexpr auto kAskInterval = std::chrono::milliseconds(100);

// The page may run its own script and communicate with its own server, and nothing else.
constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

std::chrono::nanoseconds to_duration(double seconds) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

std::string_view to_view(beast::string_view text) {
  return {text.data(), text.size()};
}

// Decides which requests are answered, and with what.
class Gate {
 public:
  Gate(std::uint16_t port, const std::string& secret, const HttpHandler& handler)
      : prefix_("/" + secret + "/"),
        hosts_{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)},
        handler_(handler) {}

  Response answer(const Request& request) const {
    HttpReply reply = calc_reply(request);
    Response response(static_cast<http::status>(reply.status), request.version());
    response.set(http::field::content_type,
                 beast::string_view(reply.type.data(), reply.type.size()));
    response.set(http::field::cache_control, "no-store");
    response.set("Content-Security-Policy", kContentPolicy.data());
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.keep_alive(request.keep_alive() && reply.status == 200);
    response.content_length(reply.body.size());
    if (request.method() != http::verb::head) response.body() = std::move(reply.body);
    return response;
  }

 private:
  static HttpReply refuse(http::status status) {
    return {.status = static_cast<unsigned>(status),
            .type = "text/plain; charset=utf-8",
            .body = std::string(to_view(http::obsolete_reason(status))) + "\n"};
  }

  // True if the request comes from our page. Another site can make a browser send requests to this
  // server and, under a name of its own that resolves to this machine, read the answer. The headers
  // Host and Origin distinguish such requests.
  bool comes_from_page(const Request& request) const {
    const std::string_view host = to_view(request[http::field::host]);
    const std::string_view origin = to_view(request[http::field::origin]);
    const std::string_view site = to_view(request["Sec-Fetch-Site"]);
    const bool is_ours = std::any_of(hosts_.begin(), hosts_.end(), [&](const std::string& ours) {
      return host == ours && (origin.empty() || origin == "http://" + ours);
    });
    return is_ours && (site.empty() || site == "same-origin" || site == "none");
  }

  HttpReply calc_reply(const Request& request) const {
    if (request.count(http::field::host) != 1 || request.count(http::field::origin) > 1)
      return refuse(http::status::bad_request);
    if (!comes_from_page(request)) return refuse(http::status::forbidden);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse(http::status::method_not_allowed);
    const std::string_view target = to_view(request.target());
    if (!target.starts_with(prefix_)) return refuse(http::status::not_found);
    const std::string_view rest = target.substr(prefix_.size());
    const std::size_t mark = std::min(rest.find('?'), rest.size());
    try {
      auto reply = handler_(rest.substr(0, mark), rest.substr(std::min(mark + 1, rest.size())));
      return reply ? std::move(*reply) : refuse(http::status::not_found);
    } catch (const InputError& error) {
      return {.status = 400, .type = "text/plain; charset=utf-8", .body = error.what()};
    } catch (const std::exception& error) {
      return {.status = 500, .type = "text/plain; charset=utf-8", .body = error.what()};
    }
  }

  std::string prefix_;
  std::array<std::string, 2> hosts_;
  const HttpHandler& handler_;
};

// The response to a request, or nothing. Input that is not a request ends the connection, with an
// error reply if it looks like an attempt at a request.
std::optional<Response> make_response(beast::error_code error, const Parser& parser,
                                      const Gate& gate) {
  if (!error) return gate.answer(parser.get());
  const bool is_header = error == http::error::header_limit;
  if (!is_header && error != http::error::unexpected_body && error != http::error::body_limit)
    return std::nullopt;
  Response response(
      is_header ? http::status::request_header_fields_too_large : http::status::payload_too_large,
      11);
  response.keep_alive(false);
  response.prepare_payload();
  return response;
}

void prepare(const ServeLimits& limits, Parser* parser) {
  parser->header_limit(limits.header_bytes);
  parser->body_limit(0);
}

class Session;
using Sessions = std::list<std::shared_ptr<Session>>;

// One connection: a request, its reply, the next request ...
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const Gate& gate, const ServeLimits& limits, Sessions* all)
      : stream_(std::move(socket)), gate_(gate), limits_(limits), all_(all) {}

  void begin() {
    place_ = all_->insert(all_->end(), shared_from_this());
    read();
  }

  bool is_waiting() const { return waiting_; }

  void end() {
    if (ended_) return;
    ended_ = true;
    beast::error_code ignored;
    stream_.socket().close(ignored);
    all_->erase(place_);
  }

 private:
  void read() {
    waiting_ = true;
    parser_.emplace();
    prepare(limits_, &*parser_);
    stream_.expires_after(to_duration(limits_.request_seconds));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!self->ended_) self->take(error);
                     });
  }

  void take(beast::error_code error) {
    waiting_ = false;
    // moves the session to the end of the list, as the most recently active one
    if (!error) all_->splice(all_->end(), *all_, place_);
    std::optional<Response> response = make_response(error, *parser_, gate_);
    if (!response) return end();
    response_ = std::move(*response);
    write();
  }

  void write() {
    stream_.expires_after(to_duration(limits_.reply_seconds));
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (self->ended_) return;
                        const bool goes_on = !error && self->response_.keep_alive();
                        self->response_ = {};
                        goes_on ? self->read() : self->end();
                      });
  }

  beast::tcp_stream stream_;
  const Gate& gate_;
  const ServeLimits& limits_;
  Sessions* all_;
  Sessions::iterator place_;
  beast::flat_buffer buffer_{std::size_t{1} << 16};
  std::optional<Parser> parser_;
  Response response_;
  bool waiting_ = false;
  bool ended_ = false;
};

class LoopbackServer {
 public:
  LoopbackServer(int listening, const Gate& gate, const ServeLimits& limits)
      : gate_(gate), limits_(limits), acceptor_(context_, tcp::v4(), listening), timer_(context_) {}

  void run(const std::function<bool()>& go_on) {
    accept();
    ask(go_on);
    context_.run();
  }

 private:
  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (!error) {
        make_room();
        if (sessions_.size() < limits_.connections)
          std::make_shared<Session>(std::move(socket), gate_, limits_, &sessions_)->begin();
      }
      accept();
    });
  }

  // Closes an idle connection if there are too many, so that a client with many idle connections
  // cannot block the page.
  void make_room() {
    if (sessions_.size() < limits_.connections) return;
    const auto idle = std::find_if(sessions_.begin(), sessions_.end(), [](const auto& session) {
      return session->is_waiting();
    });
    if (idle != sessions_.end()) std::shared_ptr<Session>(*idle)->end();
  }

  void ask(const std::function<bool()>& go_on) {
    if (!go_on()) return stop();
    timer_.expires_after(kAskInterval);
    timer_.async_wait([this, &go_on](beast::error_code) {
      ask(go_on);
    });
  }

  void stop() {
    beast::error_code ignored;
    acceptor_.close(ignored);
    while (!sessions_.empty()) std::shared_ptr<Session>(sessions_.front())->end();
    context_.stop();
  }

  asio::io_context context_{1};
  const Gate& gate_;
  const ServeLimits& limits_;
  Sessions sessions_;
  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
};

[[noreturn]] void throw_errno(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

LoopbackSocket::LoopbackSocket(std::uint16_t port) {
  const std::string name = fmt::format("127.0.0.1:{}", port);
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0) throw_errno(name);
  const int reuse = 1;  // reuse the port of a server that has just ended
  setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd_, generic, size) != 0 || listen(fd_, kBacklog) != 0 ||
      getsockname(fd_, generic, &size) != 0) {
    const int error = errno;
    close(fd_);
    errno = error;
    throw_errno(name);
  }
  port_ = ntohs(address.sin_port);
}

LoopbackSocket::LoopbackSocket(LoopbackSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), port_(other.port_) {}

LoopbackSocket::~LoopbackSocket() {
  if (fd_ >= 0) close(fd_);
}

int LoopbackSocket::release() {
  return std::exchange(fd_, -1);
}

std::string make_secret() {
  std::array<std::uint64_t, 2> bits = {};
  if (getrandom(bits.data(), sizeof(bits), 0) != sizeof(bits)) throw_errno("random numbers");
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

std::string make_page_address(std::uint16_t port, const std::string& secret) {
  return fmt::format("http://127.0.0.1:{}/{}/", port, secret);
}

void serve_loopback(LoopbackSocket socket, const std::string& secret, const HttpHandler& handler,
                    const std::function<bool()>& go_on, const ServeLimits& limits) {
  const Gate gate(socket.port(), secret, handler);
  LoopbackServer(socket.release(), gate, limits).run(go_on);
}

std::string answer_bytes(std::string_view bytes, const ServedPage& page, const HttpHandler& handler,
                         const ServeLimits& limits) {
  const Gate gate(page.port, page.secret, handler);
  std::string replies;
  while (!bytes.empty()) {
    Parser parser;
    prepare(limits, &parser);
    beast::error_code error;
    parser.eager(true);
    bytes.remove_prefix(parser.put(asio::buffer(bytes.data(), bytes.size()), error));
    if (!error && !parser.is_done()) parser.put_eof(error);
    const std::optional<Response> response = make_response(error, parser, gate);
    if (!response) break;
    std::ostringstream text;
    text << *response;
    replies += text.str();
    if (!response->keep_alive()) break;
  }
  return replies;
}

}  // namespace tenpin::lab
