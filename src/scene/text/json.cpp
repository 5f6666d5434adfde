// See json.h. The parser's event interface is used because it does not recurse and lets us stop at once.
#include "scene/text/json.h"

#include <algorithm>
#include <vector>

namespace sunder::scene {

namespace {

std::string lineAndColumn(std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t lineStart = before.rfind('\n');
    const std::size_t column = lineStart == std::string_view::npos ? offset : offset - lineStart - 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(std::max<std::size_t>(column, 1));
}

class TreeBuilder {
public:
    explicit TreeBuilder(std::string_view text) : text_(text) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(Json::number_integer_t value) { return add(value); }
    bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
    bool number_float(Json::number_float_t value, const Json::string_t&) { return add(value); }
    bool string(Json::string_t& value) { return add(std::move(value)); }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(Json::string_t& name) {
        Json& object = *stack_.back();
        if (object.size() >= kMaxKeys)
            return fail(path(), "too many keys in one object (at most " + std::to_string(kMaxKeys) + ")");
        if (object.contains(name))
            return fail(path(), "the key \"" + name + "\" is there twice (each key may be given once)");
        slot_ = &object[name];
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
        std::string message = error.what();
        // "[json.exception...] parse error at line 1, column 2: what happened": keep only what happened; we state the place
        // ourselves.
        if (const std::size_t colon = message.find(": "); message.find("parse error") != std::string::npos)
            message.erase(0, colon == std::string::npos ? 0 : colon + 2);
        else if (const std::size_t bracket = message.find("] "); bracket != std::string::npos)
            message.erase(0, bracket + 2);
        for (char& c : message)
            if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
                c = '?';
        return fail(lineAndColumn(text_, position), "not valid JSON: " + message);
    }

    JsonResult result(bool parsed) {
        if (parsed)
            return {std::move(root_), {}, {}};
        return {std::nullopt, where_, message_};
    }

private:
    bool add(Json value) { return place(std::move(value)) != nullptr; }
    bool open(Json container) {
        if (stack_.size() >= kMaxDepth)
            return fail(path(), "nested too deeply (at most " + std::to_string(kMaxDepth) + " levels)");
        Json* placed = place(std::move(container));
        if (placed)
            stack_.push_back(placed);
        return placed != nullptr;
    }
    bool close() {
        stack_.pop_back();
        return true;
    }
    Json* place(Json value) {
        if (++count_ > kMaxValues) {
            fail(path(), "too many values (at most " + std::to_string(kMaxValues) + ")");
            return nullptr;
        }
        if (stack_.empty())
            return &(root_ = std::move(value));
        Json& parent = *stack_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        return &(*slot_ = std::move(value));
    }
    bool fail(std::string where, std::string message) {
        where_ = std::move(where);
        message_ = std::move(message);
        return false;
    }
    // The path of the container that is being read; long paths keep their start.
    std::string path() const {
        constexpr std::size_t kShown = 8;
        std::string text;
        for (std::size_t i = 0; i + 1 < stack_.size() && i < kShown; ++i) {
            const Json& parent = *stack_[i];
            if (parent.is_array())
                text += "[" + std::to_string(parent.size() - 1) + "]";
            else
                text += (text.empty() ? "" : ".") + std::prev(parent.end()).key();
        }
        return stack_.size() > kShown + 1 ? text + "..." : (text.empty() ? "scene" : text);
    }

    std::string_view text_;
    Json root_;
    std::vector<Json*> stack_;  // open containers; only the last one grows, so the pointers hold
    Json* slot_ = nullptr;      // value of the key that was just read
    std::size_t count_ = 0;
    std::string where_, message_;
};

}  // namespace

JsonResult parseJson(std::string_view text) {
    if (text.size() > kMaxFileBytes)
        return {std::nullopt, "size", "too large (at most " + std::to_string(kMaxFileBytes >> 20) + " MB)"};
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return {std::nullopt, "line 1, column 1", "not valid JSON: the file is empty"};
    TreeBuilder builder(text);
    const bool parsed = Json::sax_parse(text.begin(), text.end(), &builder);
    return builder.result(parsed);
}

std::string shortText(const Json& value) {
    constexpr std::size_t kLongest = 60;
    if (value.is_structured() && value.size() > 16)
        return value.is_array() ? "a list of " + std::to_string(value.size()) : "an object of " + std::to_string(value.size());
    // Only --set can bring strings of arbitrary bytes into the tree; replacing bad ones keeps the message valid.
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > kLongest) {
        std::size_t cut = kLongest - 3;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80)
            --cut;
        text = text.substr(0, cut) + "...";
    }
    return text;
}

}  // namespace sunder::scene
