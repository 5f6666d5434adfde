// The public face of the renderer.
#include <cmath>
#include <optional>

#include "core/task_runner.h"
#include "scene/render_collect.h"
#include "scene/render_framing.h"
#include "scene/render_image.h"
#include "scene/render_overlay.h"
#include "scene/render_recording.h"
#include "sunder/definitions.h"
#include "sunder/scene/render.h"

namespace sunder {

namespace {

void require(bool good, const std::string& field, const std::string& value, const std::string& allowed) {
    if (!good)
        throw Error(field + ": " + value + " is not allowed (" + allowed + ")");
}

void requireRange(int value, int low, int high, const std::string& field) {
    require(value >= low && value <= high, field, std::to_string(value), std::to_string(low) + " to " + std::to_string(high));
}

void requireAspect(Real aspect) { require(aspect > 0 && std::isfinite(aspect), "aspect", std::to_string(aspect), "above 0"); }

}  // namespace

struct Renderer::State {
    RenderOptions options;
    std::unique_ptr<TaskRunner> runner;
    std::optional<Camera> camera;
    scene::WorldCollector collector;
    scene::FrameCollector frames;
    scene::RenderScene scene;
};

Renderer::Renderer(const RenderOptions& options) : state_(std::make_unique<State>()) {
    requireRange(options.width, 1, 8192, "width");
    requireRange(options.height, 1, 8192, "height");
    requireRange(options.samples, 1, 256, "samples");
    requireRange(options.threads, 1, 1024, "threads");
    require(isFinite(options.sunDirection), "sunDirection", "not a number", "finite");
    state_->options = options;
    state_->runner = makeTaskRunner(options.threads);
}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

void Renderer::setCamera(const Camera& camera) {
    require(isFinite(camera.position) && isFinite(camera.target), "camera", "not a number", "finite");
    require(camera.fovDegrees >= 1 && camera.fovDegrees <= 170, "fovDegrees", std::to_string(camera.fovDegrees), "1 to 170");
    require(length(camera.target - camera.position) > 0, "camera.target", "the camera's own position", "any other point");
    state_->camera = camera;
}

Image Renderer::draw(const World& world) {
    State& s = *state_;
    s.collector.markSleepers(s.options.sleepers);
    s.collector.collect(world, s.scene);
    if (!s.camera)
        s.camera = frameBodies(world, Real(s.options.width) / Real(s.options.height));
    Image image = scene::drawImage(s.scene, *s.camera, s.options, *s.runner);
    if (s.options.contacts)
        scene::drawContacts(image, *s.camera, world.contactEvents());
    return image;
}

Image Renderer::draw(Recording& recording) {
    State& s = *state_;
    if (!s.camera && recording.info().camera)
        setCamera(*recording.info().camera);
    if (!s.camera)
        s.camera = frameBodies(recording, Real(s.options.width) / Real(s.options.height));
    s.scene.clear();
    s.frames.add(recording, s.scene);
    s.scene.build();
    Image image = scene::drawImage(s.scene, *s.camera, s.options, *s.runner);
    if (s.options.contacts)
        scene::drawContacts(image, *s.camera, recording.events());
    if (s.options.ids)
        scene::drawIds(image, *s.camera, recording);
    if (s.options.energy)
        scene::drawEnergy(image, recording);
    return image;
}

Camera frameBodies(Recording& recording, Real aspect) {
    requireAspect(aspect);
    constexpr int kFrames = 6;
    const int before = recording.frame();
    scene::FrameCollector collector;
    scene::RenderScene subject, walls;
    for (const Motion motion : {Motion::Dynamic, Motion::Kinematic, Motion::Static})
        if (subject.size() == 0)
            for (const int frame : ContactSheet::spread(recording.frameCount() - 1, kFrames)) {
                recording.seek(frame);
                collector.add(recording, subject, [motion](Motion m) { return m == motion; });
            }
    collector.add(recording, walls, [](Motion m) { return m == Motion::Static; });
    recording.seek(before);
    if (subject.size() == 0)
        return {};
    subject.build();
    walls.build();
    return scene::frame(subject, walls, aspect);
}

Camera frameBodies(const World& world, Real aspect) {
    requireAspect(aspect);
    scene::WorldCollector collector;
    scene::RenderScene subject, walls;
    for (const Motion motion : {Motion::Dynamic, Motion::Kinematic, Motion::Static})
        if (subject.size() == 0)
            collector.collect(world, subject, [motion](Motion m) { return m == motion; });
    if (subject.size() == 0)
        return {};
    collector.collect(world, walls, [](Motion m) { return m == Motion::Static; });
    return scene::frame(subject, walls, aspect);
}

}  // namespace sunder
