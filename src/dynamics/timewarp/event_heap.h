// A heap of events in the order of time, at most one for each number, from which any can be removed [Egan03] A.1.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "math/vec3.h"

namespace sunder::dynamics {

// A binary heap that knows where each number is. Of two events at one time the one with the lower number comes first.
class EventHeap {
public:
    bool isEmpty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    std::uint32_t first() const { return heap_.front(); }
    Real time(std::uint32_t number) const { return times_[number]; }
    bool has(std::uint32_t number) const { return number < places_.size() && places_[number] != kNone; }

    // Adds the event of this number, or moves it to another time.
    void set(std::uint32_t number, Real time) {
        if (number >= places_.size()) {
            places_.resize(number + 1, kNone);
            times_.resize(number + 1, 0);
        }
        times_[number] = time;
        if (places_[number] == kNone) {
            places_[number] = static_cast<std::uint32_t>(heap_.size());
            heap_.push_back(number);
        }
        settle(places_[number]);
    }
    // Does nothing where there is none.
    void remove(std::uint32_t number) {
        if (!has(number))
            return;
        const std::uint32_t place = places_[number], last = heap_.back();
        heap_.pop_back();
        places_[number] = kNone;
        if (last == number)
            return;
        heap_[place] = last;
        places_[last] = place;
        settle(place);
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    bool isBefore(std::uint32_t a, std::uint32_t b) const { return times_[a] != times_[b] ? times_[a] < times_[b] : a < b; }
    void exchange(std::uint32_t a, std::uint32_t b) {
        std::swap(heap_[a], heap_[b]);
        places_[heap_[a]] = a;
        places_[heap_[b]] = b;
    }
    void settle(std::uint32_t place) {
        while (place > 0 && isBefore(heap_[place], heap_[(place - 1) / 2])) {
            exchange(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        for (;;) {
            std::uint32_t least = place;
            for (std::uint32_t child = 2 * place + 1; child <= 2 * place + 2 && child < heap_.size(); ++child)
                if (isBefore(heap_[child], heap_[least]))
                    least = child;
            if (least == place)
                return;
            exchange(place, least);
            place = least;
        }
    }

    std::vector<std::uint32_t> heap_, places_;  // numbers in heap order; by number: where it is in the heap
    std::vector<Real> times_;                   // s, by number
};

}  // namespace sunder::dynamics
