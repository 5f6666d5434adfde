// The public face of the renderer.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/task_runner.h"
#include "render/framing.h"
#include "render/image.h"
#include "render/overlay.h"
#include "scene/picture/collect_recording.h"
#include "scene/picture/collect_world.h"
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

std::vector<render::ContactMark> contactMarks(std::span<const ContactEvent> contacts) {
    std::vector<render::ContactMark> marks;
    for (const ContactEvent& contact : contacts)
        if (contact.phase != ContactPhase::End)
            marks.push_back({contact.point, contact.normal});
    return marks;
}

std::vector<render::ContactMark> contactMarks(std::span<const RecordedEvent> events) {
    std::vector<render::ContactMark> marks;
    for (const RecordedEvent& event : events)
        if (event.type == RecordedEventType::Hit || event.type == RecordedEventType::Contact)
            marks.push_back({event.point, event.normal});
    return marks;
}

// Each moving body's track number, at its centre.
std::vector<render::IdMark> idMarks(const Recording& recording) {
    std::vector<render::IdMark> marks;
    for (std::size_t i = 0; i < recording.living().size(); ++i) {
        const std::uint32_t track = recording.living()[i];
        if (recording.tracks()[track].def.motion != Motion::Static)
            marks.push_back({recording.poses()[i].position, track});
    }
    return marks;
}

// Zero for stats that the recording does not have.
render::FrameNumbers frameNumbers(const Recording& recording) {
    const auto stat = [&](std::string_view name) {
        const std::vector<std::string>& names = recording.info().statNames;
        const auto found = std::find(names.begin(), names.end(), name);
        return found == names.end() ? 0 : recording.stats()[std::size_t(found - names.begin())];
    };
    return {recording.runFrame(), recording.time(), stat("contacts"), stat("kinetic_energy"), stat("potential_energy")};
}

}  // namespace

struct Renderer::State {
    RenderOptions options;
    std::unique_ptr<TaskRunner> runner;
    std::optional<Camera> camera;
    scene::WorldCollector collector;
    scene::FrameCollector frames;
    render::RenderScene scene;
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
    Image image = render::drawImage(s.scene, *s.camera, s.options, *s.runner);
    if (s.options.contacts)
        render::drawContacts(image, *s.camera, contactMarks(world.contactEvents()));
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
    Image image = render::drawImage(s.scene, *s.camera, s.options, *s.runner);
    if (s.options.contacts)
        render::drawContacts(image, *s.camera, contactMarks(recording.events()));
    if (s.options.ids)
        render::drawIds(image, *s.camera, idMarks(recording));
    if (s.options.energy)
        render::drawEnergy(image, frameNumbers(recording));
    return image;
}

Camera frameBodies(Recording& recording, Real aspect) {
    requireAspect(aspect);
    constexpr int kFrames = 6;
    const int before = recording.frame();
    scene::FrameCollector collector;
    render::RenderScene subject, walls;
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
    return render::frame(subject, walls, aspect);
}

Camera frameBodies(const World& world, Real aspect) {
    requireAspect(aspect);
    scene::WorldCollector collector;
    render::RenderScene subject, walls;
    for (const Motion motion : {Motion::Dynamic, Motion::Kinematic, Motion::Static})
        if (subject.size() == 0)
            collector.collect(world, subject, [motion](Motion m) { return m == motion; });
    if (subject.size() == 0)
        return {};
    collector.collect(world, walls, [](Motion m) { return m == Motion::Static; });
    return render::frame(subject, walls, aspect);
}

}  // namespace sunder
