#include "../../torch_stub.h"

#include <thrust/complex.h>

namespace c10 {
template <class T>
using complex = thrust::complex<T>;
}  // namespace c10
