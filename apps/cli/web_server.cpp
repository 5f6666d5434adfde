// See web_server.h.
#include "web_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "sunder/definitions.h"

namespace sunder::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostRequest = 16384;          // bytes
constexpr auto kPatience = std::chrono::seconds(5);  // for one request or answer
constexpr int kLookUpEvery = 200;                    // ms

std::string_view typeOf(const fs::path& file) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes = {{
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript"},
        {".mjs", "text/javascript"},
        {".css", "text/css"},
        {".json", "application/json"},
        {".wasm", "application/wasm"},
        {".txt", "text/plain; charset=utf-8"},
    }};
    const std::string extension = file.extension().string();
    for (const auto& [ending, type] : kTypes)
        if (extension == ending)
            return type;
    return "application/octet-stream";
}

const char* reasonFor(int status) {
    switch (status) {
        case 200: return "OK";
        case 400: return "Bad Request";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        default: return "Error";
    }
}

WebAnswer refuse(int status, std::string_view why) {
    return {status, "text/plain; charset=utf-8", fmt::format("{}: {}\n", reasonFor(status), why)};
}

int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = char(std::tolower(static_cast<unsigned char>(c)));
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The path of a request target with %xx replaced, or nothing where that is not possible.
std::optional<std::string> decoded(std::string_view target) {
    target = target.substr(0, target.find_first_of("?#"));
    std::string path;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] != '%') {
            path += target[i];
            continue;
        }
        if (i + 2 >= target.size() || digit(target[i + 1]) < 0 || digit(target[i + 2]) < 0)
            return std::nullopt;
        path += char(16 * digit(target[i + 1]) + digit(target[i + 2]));
        i += 2;
    }
    if (path.empty() || path[0] != '/' || path.find('\0') != std::string::npos || path.find('\\') != std::string::npos)
        return std::nullopt;
    return path;
}

bool isInside(const fs::path& folder, const fs::path& file) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

WebAnswer fileAnswer(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream contents;
    if (!stream || !(contents << stream.rdbuf()))
        return refuse(404, "no such file");
    return {200, std::string(typeOf(file)), contents.str()};
}

// The value of a header; empty where there is none. More than one makes a request ambiguous, which is refused.
std::optional<std::string> headerOf(std::string_view request, std::string_view name) {
    std::optional<std::string> found;
    for (std::size_t start = request.find("\r\n"); start != std::string_view::npos; start = request.find("\r\n", start + 2)) {
        const std::string_view line = request.substr(start + 2, request.find("\r\n", start + 2) - start - 2);
        if (line.size() <= name.size() || line[name.size()] != ':' ||
            !std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) {
                return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
            }))
            continue;
        if (found)
            return std::nullopt;
        std::string_view value = line.substr(name.size() + 1);
        while (!value.empty() && value.front() == ' ')
            value.remove_prefix(1);
        while (!value.empty() && value.back() == ' ')
            value.remove_suffix(1);
        found = value;
    }
    return found;
}

// Waits until the socket is ready, at most until the deadline.
bool isReady(int socket, short what, std::chrono::steady_clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd entry{socket, what, 0};
    return left > 0 && ::poll(&entry, 1, int(left)) > 0;
}

void sendAll(int connection, std::string_view bytes) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!bytes.empty() && isReady(connection, POLLOUT, deadline)) {
        const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes.remove_prefix(std::size_t(sent));
    }
}

[[noreturn]] void fail(const char* what, int socket) {
    const std::string message = fmt::format("{} ({})", what, std::strerror(errno));
    if (socket >= 0)
        ::close(socket);
    throw Error(message);
}

}  // namespace

WebServer::WebServer(const fs::path& folder, std::function<fs::path(const std::string&)> extra, int port)
    : folder_(fs::canonical(folder)), extra_(std::move(extra)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener_ < 0)
        fail("no socket to serve the playground on", listener_);
    const int yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(port));
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(listener_, 16) != 0)
        fail(fmt::format("port {} of this machine is not to be had", port).c_str(), std::exchange(listener_, -1));
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
}

WebServer::~WebServer() {
    if (listener_ >= 0)
        ::close(listener_);
}

void WebServer::serve(const std::function<bool()>& stop) {
    while (!stop()) {
        pollfd entry{listener_, POLLIN, 0};
        if (::poll(&entry, 1, kLookUpEvery) <= 0)
            continue;
        const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0)
            continue;
        talk(connection);
        ::close(connection);
    }
}

void WebServer::talk(int connection) const {
    std::string request;
    std::array<char, 4096> block;
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (request.find("\r\n\r\n") == std::string::npos) {
        if (request.size() > kMostRequest || !isReady(connection, POLLIN, deadline))
            return;
        const ssize_t got = ::recv(connection, block.data(), block.size(), 0);
        if (got <= 0)
            return;
        request.append(block.data(), std::size_t(got));
    }
    const WebAnswer made = answer(request);
    // The isolation that threads in a page need; nothing of it may be used by pages from elsewhere.
    sendAll(connection, fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
                                    "Cross-Origin-Opener-Policy: same-origin\r\n"
                                    "Cross-Origin-Embedder-Policy: require-corp\r\n"
                                    "Cross-Origin-Resource-Policy: same-origin\r\n"
                                    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                                    "Cache-Control: no-cache\r\nConnection: close\r\n\r\n",
                                    made.status, reasonFor(made.status), made.type, made.contents.size()));
    if (request.rfind("HEAD ", 0) != 0)
        sendAll(connection, made.contents);
    // Lets the other side read all of it before the connection is gone.
    ::shutdown(connection, SHUT_WR);
}

// A page from elsewhere can make a browser connect to this machine under a name of its own; that name is in the Host header.
bool WebServer::isMeantForUs(std::string_view request) const {
    const std::optional<std::string> host = headerOf(request, "Host");
    return host && (*host == fmt::format("127.0.0.1:{}", port_) || *host == fmt::format("localhost:{}", port_));
}

WebAnswer WebServer::answer(std::string_view request) const {
    const std::string_view line = request.substr(0, request.find("\r\n"));
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || last == first || line.substr(last + 1).rfind("HTTP/1.", 0) != 0)
        return refuse(400, "not a request");
    if (!isMeantForUs(request))
        return refuse(403, "this server answers to its own name only");
    if (const std::string_view method = line.substr(0, first); method != "GET" && method != "HEAD")
        return refuse(405, "files are only given out");
    const std::optional<std::string> path = decoded(line.substr(first + 1, last - first - 1));
    if (!path)
        return refuse(400, "not a path");
    constexpr std::string_view kOpen = "/open/";
    if (path->rfind(kOpen, 0) == 0) {
        const fs::path file = extra_ ? extra_(path->substr(kOpen.size())) : fs::path();
        return file.empty() ? refuse(404, "no such file") : fileAnswer(file);
    }
    std::error_code error;
    fs::path file = fs::weakly_canonical(
        folder_ / path->substr(path->find_first_not_of('/') == std::string::npos ? path->size() : path->find_first_not_of('/')),
        error);
    // Links are followed before this is asked; whether a file outside exists is not told.
    if (error || !isInside(folder_, file))
        return refuse(403, "outside the folder");
    if (fs::is_directory(file, error))
        file /= "index.html";
    return fs::is_regular_file(file, error) ? fileAnswer(file) : refuse(404, "no such file");
}

}  // namespace sunder::cli
