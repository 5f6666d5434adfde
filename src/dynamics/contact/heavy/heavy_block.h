// One block of heavy loads (heavy_load.h): the contacts of light bodies under heavy ones, solved together.
//
// It is a small complementarity problem: normal impulses >= 0, and Coulomb friction (heavy_system.h). It is solved as a whole
// where that settles (heavy_active_set.h), else in two stages (heavy_stages.h), else contact by contact as any other.
//
// As the frames of other contacts, its arms are laid where the bodies are, and laid anew once the bodies have moved by the
// share kBlockLag of them; meanwhile separations follow from the bodies' small motions. The matrix of the system is kept as
// long, and is built again with more points where further ones come near.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact/heavy/heavy_active_set.h"
#include "dynamics/contact/heavy/heavy_stages.h"
#include "dynamics/contact/scalar/contact_link.h"
#include "dynamics/contact/scalar/soft_contact.h"
#include "math/vec3d.h"

namespace sunder::dynamics {

class HeavyBlock {
public:
    // Takes over a new set of contacts, given by their indices.
    void begin(std::span<const std::uint32_t> members, std::span<const ContactLink> links,
               std::span<const SolverBodyConstants> constants);

    // Reads all bodies of its contacts and writes those that move.
    void push(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies, const ContactSettings& settings,
              PointOrder order);

private:
    struct Member {
        std::uint32_t constraint, bodyA, bodyB;  // bodies by their place in the block
        bool hasRestitution;
        bool isNear = false;  // it is under load, or may touch in this substep
        int spots = 0;        // number of its points
        Vec3 normal = {};
        Real slack = 0;    // m^2: square of how far its bodies may move relative to each other until arms are laid anew
        Real closing = 0;  // m: by how much turns may bring its points nearer until then
    };
    struct Place {
        std::uint32_t body;
        bool moves;
        Vec3 displacement, turned;  // of the body when arms were laid
        Real reach = 0;             // m: its longest arm when they were laid
        Vec3 way, turn;             // m, rad: displacement and rotation since then
        Vec3 force, torque;         // N s, N m s: impulses of the solution on it
    };
    // A point of its contacts. The data that every substep needs of all points lie together here, for the cache.
    struct Spot {
        ConstraintPoint* point;
        Vec3 armA, armB;      // as laid
        Vec3 turnsA, turnsB;  // m per rad: change of separation by small turns of A and B
        Real laidSeparation, separation;
        bool isInSystem;  // it came near since arms were laid
        bool isAway;      // it cannot touch in this substep
        Vec3d velocity;   // m/s, of B relative to A; found unless it is away
    };
    // A point of the system.
    struct Point {
        const ContactConstraint* constraint;
        Spot* spot;
        std::uint32_t bodies[2];  // A and B, by their place
        Vec3 axes[3];             // the normal and the tangents
        Vec3 surfaceVelocity;
    };
    // A row as it acts on one of its bodies. In double: contacts of one face are redundant, and with entries rounded to float
    // their matrix need not be positive definite.
    struct RowSide {
        Vec3d angular;                      // of the Jacobian; of A it counts negative
        Vec3d linearAnswer, angularAnswer;  // m/s, rad/s per N s along the row
    };
    struct Row {
        Vec3d direction;  // linear, of the Jacobian; of A it counts negative
        RowSide sides[2];
    };

    // A point outside the system has no load.
    static bool isUnderLoad(const Spot& spot) { return spot.isInSystem && spot.point->normalImpulse > 0; }
    std::uint32_t placeOf(std::uint32_t body, bool moves);
    // Below a mass ratio of 10 among the bodies that touch at the moment, ordinary passes are enough.
    bool isHeavy() const { return system_.massRatio >= 10; }

    void takeBodies(std::span<const SolverBody> bodies);
    void giveBodies(std::span<SolverBody> bodies) const;

    void followBodies(std::span<ContactConstraint> constraints, Real h);
    Real fastestMotion() const;
    bool isFar(std::span<const ContactConstraint> constraints) const;
    void followSeparations(Real h);
    void layArms(std::span<ContactConstraint> constraints, Real h);
    void addSpots(Member& member, ContactConstraint& constraint);
    Real fastestApproach(Real h);
    std::size_t findNear(Real h);
    void findMassRatio();

    void buildSystem(std::span<const ContactConstraint> constraints);
    void listRows();
    void buildMatrix();
    static void addAnswers(const Row* rows, int side, const Row* others, int otherSide, double (&answers)[3][3]);
    std::size_t rowOf(std::size_t point, std::size_t axis) const {
        return axis == 0 ? point : system_.tangentOf(point) + axis - 1;
    }
    void setWanted(const ContactSettings& settings);

    bool solve();
    bool isSound() const;
    double brought() const;
    static double stopping(const Row& row, int side, const SolverBody& body);
    void applyImpulses();
    void pushOneByOne(std::span<ContactConstraint> constraints, const ContactSettings& settings, PointOrder order);

    std::vector<Member> members_;
    std::vector<Place> places_;
    std::vector<SolverBody> bodies_;  // copies, as places_
    std::vector<Spot> spots_;         // member by member
    bool isLaid_ = false;
    std::uint8_t isRough_ = 0;  // substeps left in which it is solved in two stages at once

    std::vector<Point> points_;
    std::vector<Row> rows_;
    HeavySystem system_;
    HeavyActiveSet activeSet_;
    HeavyStages stages_;
};

}  // namespace sunder::dynamics
