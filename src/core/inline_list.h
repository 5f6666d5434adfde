// A short list without heap memory, for scratch of hot functions: unlike an array it does not construct unused elements.
#pragma once

#include <new>
#include <type_traits>

namespace sunder {

template <class T, int kCapacity>
class InlineList {
    static_assert(std::is_trivially_copyable_v<T>, "elements are never destroyed");

public:
    InlineList() {}  // NOLINT: not defaulted, so that InlineList{} leaves the storage as it is
    InlineList(const InlineList& other) { *this = other; }
    InlineList& operator=(const InlineList& other) {
        if (this == &other)
            return *this;
        count_ = 0;
        for (int i = 0; i < other.count_; ++i)
            add(other[i]);
        return *this;
    }

    int count() const { return count_; }
    bool isFull() const { return count_ == kCapacity; }
    void clear() { count_ = 0; }
    // Does nothing where the list is full.
    void add(const T& value) {
        if (count_ < kCapacity)
            new (storage_ + sizeof(T) * count_++) T(value);
    }
    T& operator[](int i) { return *std::launder(reinterpret_cast<T*>(storage_ + sizeof(T) * i)); }
    const T& operator[](int i) const { return *std::launder(reinterpret_cast<const T*>(storage_ + sizeof(T) * i)); }
    const T* data() const { return count_ > 0 ? &(*this)[0] : nullptr; }

private:
    int count_ = 0;
    alignas(T) unsigned char storage_[sizeof(T) * kCapacity];
};

}  // namespace sunder
