// The rows of the benchmark: a table for people as the runs finish, a JSON list for programs.
#pragma once

#include <string>
#include <vector>

#include "peers/run.h"

namespace sunder::peers {

// What the figures were measured on; part of every row of the file.
struct Provenance {
    std::string machine, compiler, date;
};
Provenance thisMachine();

struct Row {
    const BenchScene* scene;
    double rate;
    EngineKind engine;
    int threads;
    RunResult result;
    double ratioToBullet;  // of ms; not a number where Bullet did not run
    double speedup;        // of wall time over one thread of the same engine; not a number where that did not run
};

void printHeader(const Provenance& provenance);
// The rows of one scene at one rate.
void print(const std::vector<Row>& rows);
std::string toJson(const std::vector<Row>& rows, const Provenance& provenance);

}  // namespace sunder::peers
