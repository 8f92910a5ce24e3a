// A library that the executor does not have. A real one behind ours on the include path
// compiles; calling it is the program's affair. The include after the error keeps the
// compiler from listing every name that the program uses.
#pragma GCC system_header
#if __has_include_next(<cufile.h>)
#include_next <cufile.h>
#else
#error "hirace: cuFile (cufile.h) is not supported by the CPU executor: read files on the host, and copy"
#include "see the error above: hirace has no cufile.h"
#endif
