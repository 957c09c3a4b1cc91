// Bytes that arrive at the live server. Only a request with the secret address reaches the page.
#include "honest.h"
#include "lab/serve.h"
#include "live_control.h"

using namespace tenpin;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::to_text(bytes, size);
  bool is_reached = false;
  const lab::HttpHandler handler = [&](std::string_view, std::string_view query) {
    is_reached = true;
    (void)app::parse_live_command(query);
    return lab::HttpReply{.type = "text/plain", .body = "done"};
  };
  const std::string reply = lab::answer_bytes(text, {.port = 8000, .secret = "secret"}, handler);
  fuzz::demand(reply.empty() || reply.starts_with("HTTP/1."));
  fuzz::demand(!is_reached || (text.find("/secret/") != std::string_view::npos &&
                               (text.find("127.0.0.1:8000") != std::string_view::npos ||
                                text.find("localhost:8000") != std::string_view::npos)));
  fuzz::is_accepted([&] {
    (void)app::parse_live_command(text);
  });
  return 0;
}
