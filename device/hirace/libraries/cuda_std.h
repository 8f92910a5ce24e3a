// The names of the C++ standard library in namespace cuda::std, where libcu++ has them for
// device code. On the CPU they are those of the compiler's own library.
#pragma once

namespace std {}

namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
