// See settings.h.
#include "scene/read/settings.h"

#include <algorithm>
#include <cctype>

namespace sunder::scene {

namespace {

// "bodies[2].shape" and "bodies.2.shape" are the same: bodies, 2, shape. Empty where the key is malformed.
std::vector<std::string> splitKey(std::string_view key) {
    std::vector<std::string> parts(1);
    bool afterBracket = false;
    for (std::size_t i = 0; i < key.size(); ++i) {
        if (key[i] == '.' || key[i] == '[') {
            if (parts.back().empty() && !afterBracket)
                return {};
            if (!parts.back().empty())
                parts.emplace_back();
            afterBracket = false;
        } else if (key[i] == ']') {
            if (parts.back().empty() || (i + 1 < key.size() && key[i + 1] != '.' && key[i + 1] != '['))
                return {};
            afterBracket = true;
        } else {
            parts.back() += key[i];
        }
    }
    return parts.back().empty() ? std::vector<std::string>{} : parts;
}

// A text that is not JSON is taken as a string, so that stepper=impulse needs no quotes.
Json parseValue(const std::string& text, bool& valid) {
    JsonResult parsed = parseJson(text);
    valid = true;
    if (parsed.value)
        return std::move(*parsed.value);
    const bool meantAsJson = text.empty() || std::string_view("[{\"-+.0123456789").find(text[0]) != std::string_view::npos;
    valid = !meantAsJson && text != "NaN" && text != "nan" && text != "Infinity" && text != "inf";
    return Json(text);
}

class Setter {
public:
    Setter(Json& scene, const std::string& setting, Problems& problems)
        : scene_(scene), setting_(setting), problems_(problems) {}

    void apply() {
        const std::size_t equals = setting_.find('=');
        const std::vector<std::string> parts =
            equals == std::string::npos ? std::vector<std::string>{} : splitKey(std::string_view(setting_).substr(0, equals));
        if (parts.empty())
            return fail("is not KEY=VALUE with a key like materials.glass.friction or bodies[2].mass");
        bool valid = false;
        const Json value = parseValue(setting_.substr(equals + 1), valid);
        if (!valid)
            return fail("the value is not valid JSON");
        set(scene_, parts, 0, value);
    }

private:
    void set(Json& place, const std::vector<std::string>& parts, std::size_t depth, const Json& value) {
        if (depth == parts.size()) {
            place = value;
        } else if (place.is_array() && parts[depth] == "*") {
            for (Json& entry : place)
                set(ownerOf(entry), parts, depth + 1, value);
        } else if (Json* inner = descend(place, parts, depth)) {
            set(*inner, parts, depth + 1, value);
        }
    }

    // A generator goes by its own name or by that of its body.
    static Json& ownerOf(Json& entry) {
        return entry.is_object() && !entry.contains("name") && entry.contains("body") ? entry["body"] : entry;
    }

    Json* descend(Json& parent, const std::vector<std::string>& parts, std::size_t depth) {
        const std::string& part = parts[depth];
        const bool last = depth + 1 == parts.size();
        if (parent.is_array())
            return element(parent, part);
        if (!parent.is_object()) {
            fail("\"" + part + "\" is inside " + shortText(parent) + ", which is no object or list");
            return nullptr;
        }
        // The stepper may be absent or a plain name; setting one of its options makes it an object.
        if (depth == 0 && !last && part == "stepper" && !parent["stepper"].is_object())
            parent["stepper"] = {{"type", parent["stepper"].is_string() ? parent["stepper"] : Json("frame_rate")}};
        // Objects that a scene may leave out or give in part.
        const bool isOptional = depth == 0 ? part == "camera" || part == "release" || part == "scatter"
                                           : part == "strength" && parts[depth - 1] == "bonds";
        if (isOptional && !last && !parent.contains(part))
            parent[part] = Json::object();
        if (last || parent.contains(part))
            return &parent[part];
        std::vector<std::string_view> there;
        for (const auto& item : parent.items())
            there.push_back(item.key());
        const std::string_view nearest = nearestName(part, there);
        fail("\"" + part + "\" is not in the scene" +
             (nearest.empty() ? " (give all of it, or one of " + listText(there) + ")"
                              : "; did you mean \"" + std::string(nearest) + "\"?"));
        return nullptr;
    }

    Json* element(Json& list, const std::string& part) {
        if (std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) && part.size() < 10) {
            const std::size_t index = std::stoul(part);
            if (index < list.size())
                return &list[index];
            fail("the list has " + std::to_string(list.size()) + " elements, 0 to " + std::to_string(int(list.size()) - 1));
            return nullptr;
        }
        std::vector<std::string> names;
        for (Json& entry : list) {
            Json& owner = ownerOf(entry);
            if (!owner.is_object() || !owner.contains("name") || !owner["name"].is_string())
                continue;
            names.push_back(owner["name"].get<std::string>());
            if (names.back() == part)
                return &owner;
        }
        problems_.unknown(Path() / kOption, part, "name", {names.begin(), names.end()});
        return nullptr;
    }

    void fail(const std::string& message) { problems_.addAt(std::string(kOption), setting_, setting_ + ": " + message); }

    static constexpr std::string_view kOption = "--set";
    Json& scene_;
    const std::string& setting_;
    Problems& problems_;
};

}  // namespace

void applySetting(Json& scene, const std::string& setting, Problems& problems) { Setter(scene, setting, problems).apply(); }

}  // namespace sunder::scene
