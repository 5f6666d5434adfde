// A web server for one page on one machine: it listens on the loopback address alone, gives out files of one folder, and
// answers only requests that were meant for it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sunder::cli {

struct WebAnswer {
    int status = 200;
    std::string type;      // of the contents
    std::string contents;  // of the file, or a line about what is wrong
};

class WebServer {
public:
    // extra: asked for paths under /open/; returns the file, or an empty path. port 0: any that is free. Throws Error.
    WebServer(const std::filesystem::path& folder, std::function<std::filesystem::path(const std::string& name)> extra,
              int port = 0);
    ~WebServer();
    WebServer(const WebServer&) = delete;
    WebServer& operator=(const WebServer&) = delete;

    int port() const { return port_; }
    // Answers requests, one after another, until stop() says so.
    void serve(const std::function<bool()>& stop);

private:
    WebAnswer answer(std::string_view request) const;
    bool isMeantForUs(std::string_view request) const;
    void talk(int connection) const;

    std::filesystem::path folder_;
    std::function<std::filesystem::path(const std::string&)> extra_;
    int listener_ = -1;
    int port_ = 0;
};

}  // namespace sunder::cli
