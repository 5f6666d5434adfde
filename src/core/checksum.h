// A 64-bit checksum of bytes. It detects every change within one 8-byte word, and any other with probability 1 - 2^-64.
#pragma once

#include <span>

#include "core/hash.h"

namespace sunder {

inline std::uint64_t checksum(std::span<const std::byte> bytes) {
    // Four hashes side by side: a single one would wait for its own multiplications.
    constexpr std::size_t kLanes = 4, kWord = sizeof(std::uint64_t);
    Hasher lanes[kLanes];
    const auto wordAt = [&](std::size_t at, std::size_t size) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, size);
        return word;
    };
    std::size_t at = 0;
    for (; at + kLanes * kWord <= bytes.size(); at += kLanes * kWord)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane].add(wordAt(at + lane * kWord, kWord));
    Hasher all;
    all.add(bytes.size());
    for (const Hasher& lane : lanes)
        all.add(lane.value());
    for (; at < bytes.size(); at += kWord)
        all.add(wordAt(at, bytes.size() - at < kWord ? bytes.size() - at : kWord));
    return all.value();
}

}  // namespace sunder
