// One picture in two passes. The first casts, per sample, a ray from the camera, one to the sun and one to the sky, and keeps
// the exact result (colours) apart from the noisy one (how much sun and sky arrive). Neighbouring pixels use different subsets
// of one sample set [KH01], so the second pass can average the noisy half over a small block, without crossing edges, and reach
// the quality of all the block's samples.
//   [KH01] Keller and Heidrich, Interleaved sampling
#include "render/image.h"

#include <algorithm>
#include <cstdlib>

#include "core/task_runner.h"
#include "render/light.h"
#include "render/samples.h"
#include "render/view.h"

namespace sunder::render {

namespace {

// Sums over a pixel's samples.
struct Pixel {
    Vec3 backdrop;       // seen past or through the haze
    Vec3 sun;            // reflected towards the camera where nothing shadows it
    Vec3 albedo;         // times the light of the sky gives the reflected light
    Vec3 skyLight;       // arriving, weighted by albedo
    Real sunSeen = 0;    // share of the sun that is not hidden, weighted by `sun`
    Real sunWeight = 0;  // sum of those weights
    Real albedoWeight = 0;
    Vec3 point, normal;  // means, by which neighbours on one surface are recognised
    Real solid = 0;      // share of samples that hit something
};

// With fewer samples all are needed for the light.
constexpr int kLeastSamplesToHalve = 4;
// Surfaces that are seen through each other in a pixel, and the share of the light below which the rest is left out.
constexpr int kMostLayers = 8;
constexpr Real kLeastWeight = Real(0.01);
constexpr Real kEvenCosine = Real(0.98);  // of the angle between normals in a pixel without an edge: 11 degrees

constexpr Real kGrain = Real(0.10), kBrokenGrain = Real(0.30);  // how much the albedo varies

Real brightness(const Vec3& c) { return Real(0.25) * c.x + Real(0.6) * c.y + Real(0.15) * c.z; }

class Painter {
public:
    Painter(const RenderScene& scene, const Camera& camera, const RenderOptions& options);
    Image paint(TaskRunner& runner);

private:
    Pixel trace(int column, int row) const;
    void lookThrough(Ray ray, Hit hit, std::size_t sample, Pixel& pixel) const;
    void shade(const Ray& ray, const Hit& hit, std::size_t sample, Real weight, Pixel& pixel) const;
    Real sunSeen(const Hit& hit, const Vec3& start, std::size_t sample) const;
    Vec3 skySeen(const Hit& hit, const Vec3& start, std::size_t sample) const;
    Real haze(const Vec3& point) const;
    Vec3 resolve(int column, int row) const;
    Real likeness(const Pixel& a, const Pixel& b) const;

    const RenderScene& scene_;
    const RenderOptions& options_;
    Vec3 focus_;
    Real focusDistance_;
    View view_;
    Vec3 sun_;
    Real pixelAngle_, gridCell_;
    int block_;  // side of the block of pixels that shares a sample set
    // The sample set: directions towards points of the sun's disc, and about +z as a matt surface receives light.
    std::vector<Vec3> sunDirections_, skyDirections_;
    std::vector<Pixel> pixels_;
};

Painter::Painter(const RenderScene& scene, const Camera& camera, const RenderOptions& options)
    : scene_(scene),
      options_(options),
      focus_(camera.target),
      focusDistance_(length(camera.target - camera.position)),
      view_(makeView(camera, Real(options.width) / Real(options.height))) {
    sun_ = normalizeOr(options.sunDirection, sunBehindCamera(view_.forward));
    pixelAngle_ = 2 * view_.tanHalfHeight / Real(options.height);
    const Real viewHeight = 2 * focusDistance_ * view_.tanHalfHeight;
    gridCell_ = viewHeight < Real(1.2) ? Real(0.1) : (viewHeight < 60 ? Real(1) : Real(10));
    block_ = options.samples < 16 ? 4 : (options.samples < 64 ? 2 : 1);
    const std::uint32_t count = std::uint32_t(block_ * block_ * options.samples);
    const Vec3 right = anyPerpendicular(sun_), up = cross(sun_, right);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Sample2 disc = toDisc(sobol(i, 0x5bd1e995u, 0x1b873593u)), sky = toDisc(sobol(i, 0x9e3779b9u, 0x85ebca6bu));
        sunDirections_.push_back(normalizeOr(sun_ + (right * disc.x + up * disc.y) * kSunRadius, sun_));
        skyDirections_.push_back({sky.x, sky.y, std::sqrt(max(1 - sky.x * sky.x - sky.y * sky.y, 0))});
    }
}

Image Painter::paint(TaskRunner& runner) {
    const int width = options_.width;
    pixels_.resize(std::size_t(width) * options_.height);
    runTasks(runner, options_.height, [&](int row) {
        for (int column = 0; column < width; ++column)
            pixels_[std::size_t(row) * width + column] = trace(column, row);
    });
    Image image{width, options_.height, std::vector<std::uint8_t>(3 * pixels_.size())};
    runTasks(runner, options_.height, [&](int row) {
        std::uint8_t* out = image.rgb.data() + 3 * std::size_t(row) * width;
        for (int column = 0; column < width; ++column, out += 3) {
            const auto bytes = toBytes(resolve(column, row));
            std::copy(bytes.begin(), bytes.end(), out);
        }
    });
    return image;
}

Pixel Painter::trace(int column, int row) const {
    Pixel pixel;
    const std::size_t part = std::size_t(column % block_) + std::size_t(block_) * std::size_t(row % block_);
    // Where the first half of the samples hits one face of one body, or nothing, there is no edge for the other half to smooth.
    const int enough = options_.samples >= kLeastSamplesToHalve ? options_.samples / 2 : options_.samples;
    int count = 0;
    std::uint32_t seen = 0;
    Vec3 normal;
    bool isEven = true;
    for (int i = 0; i < options_.samples && (i < enough || !isEven); ++i, ++count) {
        // Equal sample places in every pixel keep edges even; half a stratum's shift centres them.
        const Sample2 place = sobol(std::uint32_t(i), 0, 0);
        const Real shift = Real(0.5) / Real(options_.samples);
        const Real x = (Real(column) + place.x + shift) / Real(options_.width);
        const Real y = (Real(row) + place.y + shift) / Real(options_.height);
        const Ray ray = makeRay(view_.position, viewDirection(view_, 2 * x - 1, 1 - 2 * y));
        Hit hit;
        const bool struck = scene_.intersect(ray, hit);
        const std::uint32_t what = struck ? hit.instance + 1 : 0;
        isEven = isEven && (i == 0 || (what == seen && (!struck || dot(hit.normal, normal) > kEvenCosine)));
        seen = what;
        normal = hit.normal;
        if (struck)
            lookThrough(ray, hit, part * std::size_t(options_.samples) + std::size_t(i), pixel);
        else
            pixel.backdrop += backdrop(ray.direction);
    }
    const Real scale = 1 / Real(count);
    if (pixel.solid > 0) {
        pixel.point *= 1 / pixel.solid;
        pixel.normal = normalizeOr(pixel.normal, {0, 1, 0});
    }
    pixel.backdrop *= scale;
    pixel.sun *= scale;
    pixel.albedo *= scale;
    pixel.solid *= scale;
    return pixel;
}

// What is seen at a hit and, where that can be seen through, behind it.
void Painter::lookThrough(Ray ray, Hit hit, std::size_t sample, Pixel& pixel) const {
    Real weight = 1;
    for (int layer = 0; layer < kMostLayers; ++layer) {
        // At grazing angles the surface mirrors more than it lets through.
        const Real grazing = 1 - min(-dot(hit.shadingNormal, ray.direction), Real(1));
        const Real opacity = scene_.look(hit.instance).opacity;
        const Real seen =
            opacity < 1 && layer + 1 < kMostLayers ? opacity + (1 - opacity) * square(square(max(grazing, 0))) : 1;
        shade(ray, hit, sample, weight * seen, pixel);
        weight *= 1 - seen;
        if (!(weight > kLeastWeight))
            return;
        const Real size = hit.distance + max(max(std::fabs(hit.point.x), std::fabs(hit.point.y)), std::fabs(hit.point.z));
        ray = makeRay(hit.point - hit.normal * (size * 40 * kEpsilon + Real(1e-6)), ray.direction);
        hit = {};
        if (!scene_.intersect(ray, hit)) {
            pixel.backdrop += backdrop(ray.direction) * weight;
            return;
        }
    }
}

void Painter::shade(const Ray& ray, const Hit& hit, std::size_t sample, Real weight, Pixel& pixel) const {
    const Real hidden = haze(hit.point);
    pixel.backdrop += backdrop(ray.direction) * (hidden * weight);
    pixel.solid += weight;
    pixel.point += hit.point * weight;
    pixel.normal += hit.normal * weight;
    const Real share = (1 - hidden) * weight;
    if (share <= 0)
        return;

    const Look& look = scene_.look(hit.instance);
    Vec3 albedo = scene_.albedo(hit);
    const Real facing = max(-dot(hit.shadingNormal, ray.direction), Real(0.05));
    if (look.ground && options_.grid && hit.normal.y > Real(0.9))
        albedo *= groundPattern(hit.point.x, hit.point.z, gridCell_, hit.distance * pixelAngle_ / facing);
    else if (!look.ground)
        albedo *= grain(scene_.localPoint(hit), gridCell_ * Real(0.12), scene_.isFractured(hit) ? kBrokenGrain : kGrain,
                        hit.distance * pixelAngle_);

    // Start off the surface by more than the hit's rounding error.
    const Real size = hit.distance + max(max(std::fabs(hit.point.x), std::fabs(hit.point.y)), std::fabs(hit.point.z));
    const Vec3 start = hit.point + hit.normal * (size * 40 * kEpsilon + Real(1e-6));

    const Real grazing = square(square(1 - facing)) * (1 - facing);
    const Real cosine = dot(hit.shadingNormal, sun_);
    if (cosine > 0) {
        const Vec3 halfway = normalizeOr(sun_ - ray.direction, hit.shadingNormal);
        const Real highlight = look.gloss * Real(0.45) * std::pow(max(dot(hit.shadingNormal, halfway), 0), Real(48));
        const Vec3 sunlit = multiply(kSunColor, albedo + Vec3{highlight, highlight, highlight}) * (cosine * share);
        const Real light = brightness(sunlit);
        pixel.sun += sunlit;
        pixel.sunWeight += light;
        pixel.sunSeen += light * sunSeen(hit, start, sample);
    }
    // A glossy coat mirrors the sky at grazing angles.
    const Real coat = look.gloss * (Real(0.03) + Real(0.30) * grazing);
    const Vec3 matt = (albedo + Vec3{coat, coat, coat}) * share;
    const Real light = brightness(matt);
    pixel.albedo += matt;
    pixel.albedoWeight += light;
    pixel.skyLight += skySeen(hit, start, sample) * light;
}

Real Painter::sunSeen(const Hit& hit, const Vec3& start, std::size_t sample) const {
    if (dot(hit.normal, sun_) <= 0)
        return 0;
    if (!options_.shadows)
        return 1;
    return scene_.occluded(makeRay(start, sunDirections_[sample])) ? Real(0) : Real(1);
}

// Light of the sky, or the light that a nearby surface passes on.
Vec3 Painter::skySeen(const Hit& hit, const Vec3& start, std::size_t sample) const {
    const Vec3 tangent = anyPerpendicular(hit.normal), bitangent = cross(hit.normal, tangent);
    const Vec3& local = skyDirections_[sample];
    const Vec3 direction = tangent * local.x + bitangent * local.y + hit.normal * local.z;
    if (!options_.ambientOcclusion)
        return skyLight(direction);
    Hit blocker;
    if (!scene_.nearest(makeRay(start, direction), blocker))
        return skyLight(direction);
    constexpr Real kPassedOn = Real(0.42);
    return scene_.albedo(blocker) * kPassedOn;
}

// Far from the focus everything dissolves into the backdrop, so that the ground needs no end.
Real Painter::haze(const Vec3& point) const {
    return smoothStep(Real(0.5), Real(2.1), length(point - focus_) / focusDistance_);
}

// 1 where two pixels lie on one smooth surface, 0 where they do not.
Real Painter::likeness(const Pixel& a, const Pixel& b) const {
    if (b.solid == 0)
        return 0;
    const Real bent = clamp((dot(a.normal, b.normal) - Real(0.85)) / Real(0.10), 0, 1);
    const Real reach = length(a.point - view_.position) * pixelAngle_ * Real(block_);
    const Real apart = std::fabs(dot(a.normal, b.point - a.point));
    return bent * clamp(2 - apart / reach, 0, 1);
}

Vec3 Painter::resolve(int column, int row) const {
    const Pixel& self = pixels_[std::size_t(row) * options_.width + column];
    if (self.solid == 0)
        return self.backdrop;
    Vec3 skyLightSum = self.skyLight;
    Real albedoWeight = self.albedoWeight, seen = self.sunSeen, sunWeight = self.sunWeight;
    // Full weight inside the block's width and half at its rim: each subset of the samples counts equally.
    const int reach = block_ / 2;
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
            const int x = column + dx, y = row + dy;
            if ((dx == 0 && dy == 0) || x < 0 || y < 0 || x >= options_.width || y >= options_.height)
                continue;
            const Pixel& other = pixels_[std::size_t(y) * options_.width + x];
            const Real rim = (std::abs(dx) == reach ? Real(0.5) : Real(1)) * (std::abs(dy) == reach ? Real(0.5) : Real(1));
            const Real weight = rim * likeness(self, other);
            if (weight <= 0)
                continue;
            skyLightSum += other.skyLight * weight;
            albedoWeight += other.albedoWeight * weight;
            seen += other.sunSeen * weight;
            sunWeight += other.sunWeight * weight;
        }
    Vec3 color = self.backdrop;
    if (sunWeight > 0)
        color += self.sun * (seen / sunWeight);
    if (albedoWeight > 0)
        color += multiply(self.albedo, skyLightSum * (1 / albedoWeight));
    return color;
}

}  // namespace

Image drawImage(const RenderScene& scene, const Camera& camera, const RenderOptions& options, TaskRunner& runner) {
    return Painter(scene, camera, options).paint(runner);
}

}  // namespace sunder::render
