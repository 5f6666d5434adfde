// The functions that JavaScript calls. Each that can fail leaves its message for sunder_error() and returns 0; text and arrays
// are valid until the next call.
#include <emscripten/emscripten.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "playground.h"
#include "sunder/scene/exports.h"

namespace {

using namespace sunder;
using namespace sunder::web;

Playground playground;
std::string lastText, lastError;

// Nothing may throw across the border.
template <class Function>
int guarded(const Function& function) {
    lastError.clear();
    try {
        return function();
    } catch (const std::bad_alloc&) {
        lastError = "out of memory";
    } catch (const std::exception& error) {
        lastError = error.what();
    }
    return 0;
}

template <class Function>
const char* text(const Function& function) {
    lastText.clear();
    guarded([&] {
        lastText = function();
        return 1;
    });
    if (!lastError.empty())
        lastText = nlohmann::json{{"ok", false}, {"problems", {lastError}}}.dump(-1, ' ', false,
                                                                                 nlohmann::json::error_handler_t::replace);
    return lastText.c_str();
}

Vec3 vec(double x, double y, double z) { return {Real(x), Real(y), Real(z)}; }

}  // namespace

#define SUNDER_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

SUNDER_EXPORT const char* sunder_error() { return lastError.c_str(); }
SUNDER_EXPORT const char* sunder_version() { return SUNDER_VERSION; }

SUNDER_EXPORT const char* sunder_load(const char* scene, const char* settings, const char* folder) {
    return text([&] { return playground.load(scene, settings, folder); });
}
SUNDER_EXPORT const char* sunder_change(const char* scene, const char* settings) {
    return text([&] { return playground.change(scene, settings); });
}
SUNDER_EXPORT const char* sunder_open_recording(const char* path) {
    return text([&] { return playground.openRecording(path); });
}
SUNDER_EXPORT const char* sunder_add(const char* scene, const char* folder) {
    return text([&] { return playground.add(scene, folder); });
}
SUNDER_EXPORT const char* sunder_settings() {
    return text([&] { return playground.settings(); });
}
SUNDER_EXPORT const char* sunder_schema() {
    return text([&] { return sceneSchema(); });
}
SUNDER_EXPORT const char* sunder_looks() {
    return text([&] { return playground.looks(); });
}
// kind: -1 for none, else a PoseFilterKind.
SUNDER_EXPORT int sunder_use_filter(int kind, int frames, double distance, double angleDegrees) {
    return guarded([&] {
        playground.useFilter(kind < 0 ? std::nullopt
                                      : std::optional(PoseFilter{PoseFilterKind(kind), frames, distance, angleDegrees}));
        return 1;
    });
}
SUNDER_EXPORT const char* sunder_hash() {
    return text([&] { return playground.hash(); });
}
SUNDER_EXPORT const char* sunder_pick(double x, double y, double z, double dx, double dy, double dz) {
    return text([&] { return playground.pick(vec(x, y, z), vec(dx, dy, dz)); });
}

SUNDER_EXPORT int sunder_warm_up() {
    return guarded([&] { return playground.warmUp(); });
}
SUNDER_EXPORT int sunder_step() {
    return guarded([&] {
        playground.stepFrame();
        return 1;
    });
}
SUNDER_EXPORT int sunder_frame() { return playground.frame(); }
SUNDER_EXPORT int sunder_go_to(int frame) {
    return guarded([&] { return playground.goTo(frame); });
}
SUNDER_EXPORT int sunder_first_kept() { return playground.firstKeptFrame(); }
SUNDER_EXPORT int sunder_last_kept() { return playground.lastKeptFrame(); }

SUNDER_EXPORT int sunder_grab(int body, double x, double y, double z) {
    return guarded([&] { return int(playground.grab(body, vec(x, y, z))); });
}
SUNDER_EXPORT void sunder_pull_to(double x, double y, double z) { playground.pullTo(vec(x, y, z)); }
SUNDER_EXPORT void sunder_release() { playground.release(); }
SUNDER_EXPORT int sunder_explode(double x, double y, double z, double speed, double radius) {
    return guarded([&] {
        playground.explode(vec(x, y, z), Real(speed), Real(radius));
        return 1;
    });
}
SUNDER_EXPORT int sunder_cut(int body, double x, double y, double z, double nx, double ny, double nz) {
    return guarded([&] {
        playground.cut(body, vec(x, y, z), vec(nx, ny, nz));
        return 1;
    });
}
SUNDER_EXPORT void sunder_use_threads(int threads) { playground.useThreads(threads); }
SUNDER_EXPORT int sunder_threads() { return playground.threads(); }

SUNDER_EXPORT int sunder_record(const char* path) {
    return guarded([&] {
        playground.startRecording(path);
        return 1;
    });
}
SUNDER_EXPORT int sunder_record_end() {
    return guarded([&] {
        playground.stopRecording();
        return 1;
    });
}
SUNDER_EXPORT int sunder_write_glb(const char* recording, const char* glb) {
    return guarded([&] {
        Recording opened = Recording::open(recording);
        return int(writeGlb(opened, glb));
    });
}

SUNDER_EXPORT int sunder_body_count() { return int(playground.bodies().size()); }
SUNDER_EXPORT std::uint32_t sunder_revision() { return playground.revision(); }
SUNDER_EXPORT const ListedBody* sunder_bodies() { return playground.bodies().data(); }
SUNDER_EXPORT const float* sunder_poses() { return playground.poses().data(); }
SUNDER_EXPORT const BodyState* sunder_states() { return playground.states().data(); }
SUNDER_EXPORT const double* sunder_stats() { return playground.stats().data(); }
SUNDER_EXPORT const char* sunder_stat_names() {
    return text([&] { return nlohmann::json(kStatNames).dump(); });
}
SUNDER_EXPORT int sunder_contact_count() { return int(playground.contacts().size() / 8); }
// Of the last sunder_contact_count().
SUNDER_EXPORT const float* sunder_contacts() { return playground.lastContacts().data(); }

SUNDER_EXPORT int sunder_link_count() { return int(playground.links().size()) / kLinkNumbers; }
// Of the last sunder_link_count().
SUNDER_EXPORT const float* sunder_links() { return playground.lastLinks().data(); }
SUNDER_EXPORT const float* sunder_slice(double x, double y, double z, double rx, double ry, double rz, double ux, double uy,
                                        double uz, int columns, int rows, double farthest) {
    const float* numbers = nullptr;
    guarded([&] {
        numbers = playground.slice(vec(x, y, z), vec(rx, ry, rz), vec(ux, uy, uz), columns, rows, Real(farthest)).data();
        return 1;
    });
    return numbers;
}

// Of the last sunder_stress_count(): twelve numbers for each body, the vertices and the triangles of all.
SUNDER_EXPORT int sunder_stress_count() {
    return guarded([&] { return int(playground.stress().size()); });
}
SUNDER_EXPORT const ListedStress* sunder_stress() { return playground.lastStress().data(); }
SUNDER_EXPORT const float* sunder_stress_vertices() { return playground.stressVertices().data(); }
SUNDER_EXPORT const std::uint32_t* sunder_stress_triangles() { return playground.stressTriangles().data(); }

SUNDER_EXPORT int sunder_surface_count() { return playground.surfaces().count(); }
SUNDER_EXPORT int sunder_surface_vertices(int number) { return int(playground.surfaces().at(number).positions.size() / 3); }
SUNDER_EXPORT int sunder_surface_indices(int number) { return int(playground.surfaces().at(number).indices.size()); }
SUNDER_EXPORT int sunder_surface_outside(int number) { return int(playground.surfaces().at(number).outsideIndices); }
SUNDER_EXPORT const float* sunder_surface_positions(int number) { return playground.surfaces().at(number).positions.data(); }
SUNDER_EXPORT const float* sunder_surface_normals(int number) { return playground.surfaces().at(number).normals.data(); }
SUNDER_EXPORT const std::uint32_t* sunder_surface_index_data(int number) {
    return playground.surfaces().at(number).indices.data();
}

SUNDER_EXPORT int sunder_surface_group_count(int number) { return int(playground.surfaces().at(number).groups.size()); }
// Three numbers each: first index, count, slot.
SUNDER_EXPORT const SurfaceGroup* sunder_surface_groups(int number) { return playground.surfaces().at(number).groups.data(); }
SUNDER_EXPORT std::uint32_t sunder_surface_materials(int number) { return playground.surfaces().at(number).materials; }
// Null where the surface has none.
SUNDER_EXPORT const float* sunder_surface_coordinates(int number) {
    const Triangles& surface = playground.surfaces().at(number);
    return surface.textureCoordinates.empty() ? nullptr : surface.textureCoordinates.data();
}
SUNDER_EXPORT const std::uint8_t* sunder_surface_colors(int number) {
    const Triangles& surface = playground.surfaces().at(number);
    return surface.colors.empty() ? nullptr : surface.colors.data();
}

// Materials that meshes brought, and their pictures.
SUNDER_EXPORT int sunder_material_list_count() { return int(playground.surfaces().materials().size()); }
SUNDER_EXPORT const char* sunder_material_list(int number) {
    return text([&] { return playground.surfaces().materialsText(number); });
}
SUNDER_EXPORT int sunder_image_count() { return int(playground.surfaces().images().size()); }
SUNDER_EXPORT const char* sunder_image_type(int number) {
    return playground.surfaces().images().at(std::size_t(number))->mediaType.c_str();
}
SUNDER_EXPORT int sunder_image_size(int number) {
    return int(playground.surfaces().images().at(std::size_t(number))->bytes.size());
}
SUNDER_EXPORT const char* sunder_image_bytes(int number) {
    return playground.surfaces().images().at(std::size_t(number))->bytes.data();
}

// Bodies whose vertices move: two numbers each, the surface and how many vertices it has; the vertices of all, one body after
// another.
SUNDER_EXPORT int sunder_mover_count() { return int(playground.movers().size()); }
SUNDER_EXPORT const ListedMover* sunder_movers() { return playground.movers().data(); }
SUNDER_EXPORT const float* sunder_mover_positions() { return playground.moverPositions().data(); }
SUNDER_EXPORT const float* sunder_mover_normals() { return playground.moverNormals().data(); }

SUNDER_EXPORT const char* sunder_mesh_info(const char* path) {
    return text([&] { return meshInfo(path); });
}
