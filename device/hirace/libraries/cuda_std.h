// The names of the C++ standard library in namespace cuda::std, where libcu++ provides them for
// device code. On the CPU they refer to the compiler's own library.
#pragma once

namespace std {}

namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
