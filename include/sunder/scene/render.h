// Pictures of a world, drawn on the CPU: no display, no GPU. Equal worlds give equal pixels for any thread count.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sunder/types.h"

namespace sunder {

class World;
class Recording;

// Rows from the top, three bytes (sRGB) per pixel.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

// The file appears whole or not at all. Throws Error, naming the path, where it cannot be written.
void writePng(const Image& image, const std::string& path);
// Bytes of a PNG file of the image.
std::string pngBytes(const Image& image);
// The picture scaled to another size, each pixel the mean of the area it covers.
Image scaled(const Image& image, int width, int height);

struct Camera {
    Vec3 position{0, 5, 15};
    Vec3 target;
    Real fovDegrees = 35;  // of the picture's height, 1 to 170
};

struct RenderOptions {
    int width = 1280, height = 720;  // pixels, 1 to 8192; drawing takes about 100 bytes for each
    int samples = 8;                 // per pixel, 1 to 256: edges, soft shadows and ambient light share them
    int threads = 1;                 // >= 1; the picture does not depend on it
    bool shadows = true;             // of the sun
    bool ambientOcclusion = true;    // darkens places where bodies hide the sky from one another
    bool grid = true;                // lines on static ground, 0.1, 1 or 10 m apart depending on the width of the view
    bool sleepers = false;           // sleeping bodies are drawn in a pale blue
    bool contacts = false;           // overlay: the last step's contact points and normals; of a recording, those it holds
    bool energy = false;             // overlay: bars of kinetic and potential energy, and the frame's numbers; recordings only
    bool ids = false;                // overlay: numbers of the moving bodies; recordings only
    Vec3 sunDirection{};             // towards the sun; zero: high behind the camera's left shoulder
};

// A camera that sees the moving bodies, except those that flew far away from the rest.
Camera frameBodies(const World& world, Real aspect = Real(16) / 9);
// A camera for a whole recording; ends at another frame than the present one.
Camera frameBodies(Recording& recording, Real aspect = Real(16) / 9);

class Renderer {
public:
    // Throws Error where an option is out of range.
    explicit Renderer(const RenderOptions& options = {});
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    // Without a camera the first draw() uses frameBodies(), and later ones keep it, so that pictures of one run match.
    void setCamera(const Camera& camera);
    Image draw(const World& world);
    // Draws the recording's current frame. A renderer that has drawn one recording draws no other; without a camera it uses the
    // recording's, else that of frameBodies().
    Image draw(Recording& recording);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Several frames of a run on one page, each with its number and time, under a title.
class ContactSheet {
public:
    ContactSheet(const std::string& title, int columns, int rows, int tileWidth, int tileHeight);

    // Scales the picture down to the next free tile; bars keep its shape. Throws Error where the sheet is full.
    void add(const Image& image, int frame, double time);
    int capacity() const { return columns_ * rows_; }
    int count() const { return count_; }
    const Image& image() const { return page_; }
    void write(const std::string& path) const { writePng(page_, path); }

    // `count` frames spread evenly over 0..lastFrame, both ends included; fewer where there are fewer.
    static std::vector<int> spread(int lastFrame, int count);

private:
    int tileLeft(int tile) const;
    int tileTop(int tile) const;

    int columns_, rows_, tileWidth_, tileHeight_;
    int count_ = 0;
    Image page_;
};

}  // namespace sunder
