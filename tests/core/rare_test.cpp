// A value that few objects have: copies are copies, and it costs the others a pointer.
#include "core/rare.h"

#include <gtest/gtest.h>

#include <string>

namespace sunder {
namespace {

TEST(Rare, BehavesAsAnOptional) {
    static_assert(sizeof(Rare<std::string>) == sizeof(void*));
    Rare<std::string> none, some = std::string("some");
    EXPECT_FALSE(none);
    ASSERT_TRUE(some);
    Rare<std::string> copy = some;
    copy->append("thing");
    EXPECT_EQ(*some, "some");
    EXPECT_EQ(*copy, "something");
    none = copy;
    EXPECT_EQ(*none, "something");
    some = std::move(copy);
    EXPECT_EQ(*some, "something");
    EXPECT_TRUE(some.emplace().empty());
    some.reset();
    EXPECT_FALSE(some);
    none = some;
    EXPECT_FALSE(none);
}

}  // namespace
}  // namespace sunder
