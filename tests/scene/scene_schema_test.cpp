// The schema accepts the bundled scenes and refuses what the reader refuses. The checker below knows the keywords that the
// schema uses, and fails on any other.
#include <gtest/gtest.h>

#include <set>

#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "scene/text/json.h"
#include "sunder/scene/bundled.h"

namespace sunder {
namespace {

using scene::Json;

class SchemaChecker {
public:
    explicit SchemaChecker(const Json& schema) : root_(schema) {}
    bool accepts(const Json& value) { return matches(value, root_); }

private:
    bool matches(const Json& value, const Json& schema) {
        for (const auto& item : schema.items())
            if (!matchesKeyword(value, schema, item.key(), item.value()))
                return false;
        return true;
    }

    bool matchesKeyword(const Json& value, const Json& schema, const std::string& key, const Json& rule) {
        static const std::set<std::string> kSilent = {"$schema", "title", "description", "$defs", "properties"};
        if (key == "additionalProperties")
            return matchesProperties(value, schema, rule);
        if (kSilent.count(key) > 0)
            return true;
        if (key == "$ref")
            return matches(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))));
        if (key == "type")
            return hasType(value, rule.get<std::string>());
        if (key == "enum")
            return std::find(rule.begin(), rule.end(), value) != rule.end();
        if (key == "const")
            return value == rule;
        if (key == "anyOf" || key == "oneOf") {
            const auto count =
                std::count_if(rule.begin(), rule.end(), [&](const Json& choice) { return matches(value, choice); });
            return key == "anyOf" ? count > 0 : count == 1;
        }
        if (key == "required")
            return !value.is_object() || std::all_of(rule.begin(), rule.end(),
                                                     [&](const Json& name) { return value.contains(name.get<std::string>()); });
        if (key == "items")
            return !value.is_array() ||
                   std::all_of(value.begin(), value.end(), [&](const Json& v) { return matches(v, rule); });
        if (key == "minItems")
            return !value.is_array() || value.size() >= rule.get<std::size_t>();
        if (key == "maxItems")
            return !value.is_array() || value.size() <= rule.get<std::size_t>();
        if (key == "minimum")
            return !value.is_number() || value.get<double>() >= rule.get<double>();
        if (key == "exclusiveMinimum")
            return !value.is_number() || value.get<double>() > rule.get<double>();
        if (key == "maximum")
            return !value.is_number() || value.get<double>() <= rule.get<double>();
        ADD_FAILURE() << "keyword " << key;
        return false;
    }

    bool matchesProperties(const Json& value, const Json& schema, const Json& others) {
        if (!value.is_object())
            return true;
        const Json properties = schema.value("properties", Json::object());
        for (const auto& item : value.items()) {
            if (properties.contains(item.key()) ? !matches(item.value(), properties[item.key()])
                                                : (others == false || !matches(item.value(), others)))
                return false;
        }
        return true;
    }

    static bool hasType(const Json& value, const std::string& type) {
        if (type == "number")
            return value.is_number();
        if (type == "integer")
            return value.is_number_integer();
        return type == (value.is_object()    ? "object"
                        : value.is_array()   ? "array"
                        : value.is_string()  ? "string"
                        : value.is_boolean() ? "boolean"
                                             : "null");
    }

    const Json& root_;
};

TEST(SceneSchema, AcceptsEveryBundledScene) {
    const Json schema = Json::parse(sceneSchema());
    for (const BundledScene& bundled : listScenes(SUNDER_TEST_SOURCE_DIR "/scenes"))
        EXPECT_TRUE(SchemaChecker(schema).accepts(Json::parse(contentsOf(bundled.file)))) << bundled.name;
}

TEST(SceneSchema, RefusesWhatTheReaderRefuses) {
    const Json schema = Json::parse(sceneSchema());
    const std::string bad[] = {"{}",
                               R"({ "sunder": 2, "bodies": [] })",
                               R"({ "sunder": 1, "bodies": [], "gravty": 0 })",
                               R"({ "sunder": 1, "bodies": [], "frames": -1 })",
                               R"({ "sunder": 1, "bodies": [], "joints": [{}] })",
                               sceneWithBodies("{}"),
                               sceneWithBodies(ball("\"mass\": 0")),
                               sceneWithBodies(ball("\"mas\": 1")),
                               sceneWithBodies("{ \"shape\": { \"type\": \"sphere\" } }"),
                               sceneWithBodies("{ \"shape\": { \"type\": \"cube\" } }"),
                               sceneWithBodies(R"({ "wall": { "count": 3 }, "body": )" + ball() + "}"),
                               sceneWithBodies(R"({ "stack": { "count": 3 } })")};
    for (const std::string& text : bad) {
        EXPECT_FALSE(SchemaChecker(schema).accepts(Json::parse(text))) << text;
        EXPECT_FALSE(parseScene(text)) << text;
    }
    EXPECT_TRUE(SchemaChecker(schema).accepts(Json::parse(sceneWithBodies(ball()))));
}

TEST(SceneSchema, EveryPropertyOfABodyIsExplained) {
    const Json schema = Json::parse(sceneSchema());
    for (const auto& item : schema["$defs"]["body"]["properties"].items())
        EXPECT_TRUE(item.key() == "rotation_degrees" || !item.value().value("description", "").empty()) << item.key();
}

}  // namespace
}  // namespace sunder
