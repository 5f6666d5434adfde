// Text that is no scene, in every way a file can be broken: always an answer, never a crash.
#include "scene/text/json.h"

#include <gtest/gtest.h>

#include "scene/scene_for_tests.h"

namespace sunder::scene {
namespace {

struct Broken {
    std::string text;
    const char* where;
    const char* message;  // part of it
};

TEST(Json, BrokenTextIsNamedWithItsPlace) {
    const std::string brackets(200000, '['), braces = [] {
        std::string text;
        for (int i = 0; i < 200000; ++i)
            text += "{\"a\":";
        return text;
    }();
    const Broken table[] = {
        {"", "line 1, column 1", "empty"},
        {" \n\t ", "line 1, column 1", "empty"},
        {"{", "line 1", "unexpected end of input"},
        {"{ \"sunder\": 1,\n  \"bodies\": [ {", "line 2", "unexpected end of input"},
        {"{ \"sunder\": NaN }", "line 1", "invalid literal"},
        {"{ \"sunder\": Infinity }", "line 1", "invalid literal"},
        {"{ \"sunder\": -Infinity }", "line 1", "invalid number"},
        {"{ \"a\": 1e999 }", "line 1", "number overflow"},
        {"{ \"a\": 01 }", "line 1", "expected"},
        {"{ \"a\": 1, }", "line 1", "expected"},
        {"{ 'a': 1 }", "line 1", "expected"},
        {"{ \"a\": 1 } x", "line 1", "expected end of input"},
        {"// comment\n{}", "line 1", "invalid literal"},
        {std::string("\0\0\0\0", 4), "line 1", "not valid JSON"},
        {std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "line 1", "not valid JSON"},
        {"{ \"a\": \"\xff\xfe\" }", "line 1", "not valid JSON"},
        {"\xff\xfe{\0}\0", "line 1", "not valid JSON"},
        {"{ \"a\": \"\\ud800\" }", "line 1", "surrogate"},
        {brackets, "[0]", "nested too deeply (at most 100 levels)"},
        {braces, "a.a", "nested too deeply (at most 100 levels)"},
        {"{ \"a\": { \"b\": 1, \"c\": 2, \"b\": 3 } }", "a", "\"b\" is there twice"},
    };
    for (const Broken& broken : table) {
        const JsonResult result = parseJson(broken.text);
        const std::string shown = broken.text.substr(0, 40);
        EXPECT_FALSE(result.value) << shown;
        EXPECT_EQ(result.where.rfind(broken.where, 0), 0u) << shown << " -> " << result.where;
        EXPECT_NE(result.message.find(broken.message), std::string::npos) << shown << " -> " << result.message;
    }
}

TEST(Json, EveryPrefixOfASceneIsRefused) {
    const std::string text =
        R"({"sunder":1,"bodies":[{"shape":{"type":"sphere","radius":0.5},"position":[0,1e1,-2.5]}],"x":true})";
    for (std::size_t length = 0; length < text.size(); ++length)
        EXPECT_FALSE(parseJson(text.substr(0, length)).value) << length;
    EXPECT_TRUE(parseJson(text).value);
}

TEST(Json, DepthOf100IsFine) {
    EXPECT_TRUE(parseJson(std::string(100, '[') + std::string(100, ']')).value);
    EXPECT_FALSE(parseJson(std::string(101, '[') + std::string(101, ']')).value);
}

TEST(Json, AByteOrderMarkIsSkipped) { EXPECT_TRUE(parseJson("\xef\xbb\xbf{ \"a\": 1 }").value); }

TEST(Json, HugeTextIsRefusedUnread) {
    const JsonResult result = parseJson(std::string(kMaxFileBytes + 1, ' '));
    EXPECT_NE(result.message.find("too large (at most 64 MB)"), std::string::npos);
}

TEST(Json, FloodsOfKeysAndValuesAreRefused) {
    std::string keys = "{";
    for (int i = 0; i < 20000; ++i)
        keys += "\"k" + std::to_string(i) + "\":0,";
    EXPECT_NE(parseJson(keys + "\"z\":0}").message.find("too many keys"), std::string::npos);
    std::string values = "[0";
    for (std::size_t i = 0; i < kMaxValues; ++i)
        values += ",0";
    EXPECT_NE(parseJson(values + "]").message.find("too many values"), std::string::npos);
}

TEST(Json, ValuesInMessagesAreShort) {
    EXPECT_EQ(shortText(Json(0.1)), "0.1");
    EXPECT_EQ(shortText(Json({1, 2, 3})), "[1,2,3]");
    EXPECT_LE(shortText(Json(std::string(1000, 'a'))).size(), 60u);
    // A letter of two bytes is not cut in half.
    std::string letters = "a";
    for (int i = 0; i < 100; ++i)
        letters += "\xc3\xa9";
    const std::string cut = shortText(Json(letters));
    EXPECT_TRUE(Json::accept("\"" + cut.substr(1, cut.size() - 4) + "\""));
}

}  // namespace
}  // namespace sunder::scene
