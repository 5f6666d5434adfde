// Small scenes as text, and their problems as text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sunder/scene/scene.h"

namespace sunder {

inline std::string sceneWithBodies(const std::string& bodies, const std::string& more = "") {
    return R"({ "sunder": 1, )" + more + R"( "bodies": [)" + bodies + "] }";
}

inline std::string ball(const std::string& more = "") {
    return R"({ "shape": { "type": "sphere", "radius": 0.5 })" + (more.empty() ? "" : ", " + more) + " }";
}

inline std::string problemsOf(const SceneResult& result) {
    std::string text;
    for (const SceneProblem& problem : result.problems)
        text += problem.text() + "\n";
    return text;
}

// The scene; a failure with its problems where it has any.
inline Scene sceneOf(const std::string& text, const SceneOptions& options = {}) {
    SceneResult result = parseScene(text, options);
    EXPECT_TRUE(result) << problemsOf(result);
    return result ? *result.scene : Scene{};
}

}  // namespace sunder
