#pragma once

#include <cstddef>
#include <functional>

namespace hwsift {

// The processors this process may use (its affinity mask), at least 1.
int usable_cores();

// Calls work(i) once for every i below count, on up to `jobs` threads; returns when all are done. The order
// of the calls is not defined, so work(i) must write only what belongs to i.
void for_each_index(std::size_t count, int jobs, const std::function<void(std::size_t)>& work);

}  // namespace hwsift
