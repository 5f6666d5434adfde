// A std::optional for values that few objects have: an empty one takes the space of a pointer.
#pragma once

#include <memory>
#include <utility>

namespace sunder {

template <class T>
class Rare {
public:
    Rare() = default;
    Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT: as of std::optional
    Rare(const Rare& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    Rare(Rare&&) noexcept = default;
    Rare& operator=(const Rare& other) { return *this = Rare(other); }
    Rare& operator=(Rare&&) noexcept = default;
    ~Rare() = default;

    explicit operator bool() const { return value_ != nullptr; }
    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    T* operator->() { return value_.get(); }
    const T* operator->() const { return value_.get(); }
    T& emplace() {
        value_ = std::make_unique<T>();
        return *value_;
    }
    void reset() { value_.reset(); }

private:
    std::unique_ptr<T> value_;
};

}  // namespace sunder
