// Pictures of solids, and what is drawn over them.
#include "render/image.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/task_runner.h"
#include "render/framing.h"
#include "render/overlay.h"

namespace sunder::render {
namespace {

Image blank() { return {96, 54, std::vector<std::uint8_t>(3u * 96 * 54, 0)}; }

// Three bytes.
const std::uint8_t* pixel(const Image& image, int column, int row) {
    return image.rgb.data() + 3 * (std::size_t(row) * image.width + column);
}

int sumOfBytes(const Image& image) { return std::accumulate(image.rgb.begin(), image.rgb.end(), 0); }

TEST(Picture, SolidsAtAbsurdDistancesDoNoHarm) {
    RenderOptions options;
    options.width = 96;
    options.height = 54;
    options.samples = 2;
    for (const Real far : {Real(1e6), Real(1e15), Real(1e30), kInfinity}) {
        RenderScene subject, nothing;
        for (int i = 0; i < 8; ++i)
            subject.add({SolidType::Box, {1, 1, 1}, nullptr}, {{i % 2 ? far : 0, i / 2 % 2 ? far : 0, i / 4 ? far : 0}, {}},
                        {});
        subject.build();
        nothing.build();
        const Camera camera = frame(subject, nothing, Real(96) / 54);
        const Image image = drawImage(subject, camera, options, *makeSerialRunner());
        EXPECT_EQ(image.rgb.size(), 3u * 96 * 54);
    }
}

TEST(Overlay, ContactsAreMarked) {
    Image image = blank();
    ContactMark mark{{0, 0, 0}, {0, 1, 0}};
    const Camera camera{{0, 0, 10}, {0, 0, 0}, 30};
    drawContacts(image, camera, {&mark, 1});
    EXPECT_GT(pixel(image, 48, 27)[0], 200);
    EXPECT_GT(pixel(image, 48, 26)[0], 50);
    EXPECT_EQ(pixel(image, 30, 10)[0] + pixel(image, 30, 10)[1] + pixel(image, 30, 10)[2], 0);
    // Behind the camera nothing is marked.
    Image behind = blank();
    mark.point = {0, 0, 20};
    drawContacts(behind, camera, {&mark, 1});
    EXPECT_EQ(sumOfBytes(behind), 0);
}

TEST(Overlay, OfIdsAtOnePlaceTheNearestIsDrawn) {
    const Camera camera{{0, 0, 10}, {0, 0, 0}, 30};
    const IdMark near{{0, 0, 1}, 7}, far{{0, 0, 0}, 8};
    Image alone = blank(), both = blank();
    drawIds(alone, camera, {&near, 1});
    EXPECT_GT(sumOfBytes(alone), 0);
    const IdMark ids[] = {far, near};
    drawIds(both, camera, ids);
    EXPECT_EQ(both.rgb, alone.rgb);
}

TEST(Overlay, BarsShowTheSharesOfEnergy) {
    // Twice as much of both: only the numbers differ, and they are right of the bars.
    const auto draw = [](double kinetic, double potential) {
        Image image{640, 54, std::vector<std::uint8_t>(3u * 640 * 54, 0)};
        drawEnergy(image, {3, 0.1, 5, kinetic, potential});
        return image;
    };
    const Image one = draw(10, 30), two = draw(20, 60), other = draw(30, 30);
    int differs = 0;
    for (int row = 0; row < 54; ++row)
        for (int column = 0; column < 100; ++column) {
            EXPECT_EQ(pixel(one, column, row)[0], pixel(two, column, row)[0]);
            differs += pixel(one, column, row)[0] != pixel(other, column, row)[0];
        }
    EXPECT_GT(differs, 0);
}

}  // namespace
}  // namespace sunder::render
