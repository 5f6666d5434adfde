// One block of heavy loads (heavy_load.h): the contacts of light bodies under heavy ones, solved together.
//
// It is a small mixed problem, contact impulses >= 0 and Coulomb friction (heavy_system.h). It is solved as a whole where that
// settles (heavy_active_set.h), else in two stages (heavy_stages.h), else contact by contact as any other.
//
// Like the frames of other contacts its arms are laid where the bodies are, and anew once they have moved by kBlockLag of them;
// meanwhile separations follow from the bodies' small motions. What the bodies answer is kept as long, and grows where points
// come near.
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
    // Takes on other contacts, by their indices.
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
        int spots = 0;        // how many of them, when arms were laid
        Vec3 normal = {};
        Real slack = 0;    // m^2: how far its bodies may go until arms are laid anew
        Real closing = 0;  // m: by how much turns may bring points nearer until then
    };
    struct Place {
        std::uint32_t body;
        bool moves;
        Vec3 displacement, turned;  // when arms were laid
        Real reach = 0;             // m: its longest arm then
        Vec3 way, turn;             // since then
        Vec3 force, torque;         // N s, N m s: what the solution gives it
    };
    // Any point of its contacts. What every substep needs of all of them lies together here, apart from the constraints.
    struct Spot {
        ConstraintPoint* point;
        Vec3 armA, armB;      // as laid
        Vec3 turnsA, turnsB;  // m: by how much small turns of either body bring them apart
        Real laidSeparation, separation;
        bool isInSystem;  // came near since arms were laid
        bool isAway;      // too far to look at in this substep
        Vec3d velocity;   // of B against A; of those that are not away
    };
    // A point of the system.
    struct Point {
        const ContactConstraint* constraint;
        Spot* spot;
        std::uint32_t bodies[2];  // A and B, by their place
        Vec3 axes[3];             // the normal and the tangents
        Vec3 surfaceVelocity;
    };
    // What a row is to one of its bodies. In double: contacts of one face are redundant, and rounded in float their matrix need
    // not be positive definite.
    struct RowSide {
        Vec3d angular;                      // the Jacobian's other part; of A it counts against
        Vec3d linearAnswer, angularAnswer;  // m/s, rad/s per N s along the row
    };
    struct Row {
        Vec3d direction;  // the Jacobian: B along it, A against it
        RowSide sides[2];
    };

    // Only points of the system are.
    static bool isUnderLoad(const Spot& spot) { return spot.isInSystem && spot.point->normalImpulse > 0; }
    std::uint32_t placeOf(std::uint32_t body, bool moves);
    // Where the bodies that touch at the moment differ by less, ordinary passes do.
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
    std::uint8_t isRough_ = 0;  // substeps for which it is solved in two stages at once

    std::vector<Point> points_;
    std::vector<Row> rows_;
    HeavySystem system_;
    HeavyActiveSet activeSet_;
    HeavyStages stages_;
};

}  // namespace sunder::dynamics
