// thrust::system_error, by which thrust's algorithms report errors of the runtime; they report none here.
#pragma once

#include <system_error>

#include "detail/config.h"

namespace thrust {

using std::errc;
using std::error_category;
using std::error_code;
using std::error_condition;
using std::system_error;

namespace system {

using std::errc;
using std::error_category;
using std::error_code;
using std::error_condition;
using std::system_error;

namespace detail {

class cuda_error_category : public error_category {
 public:
  const char* name() const noexcept override { return "cuda"; }
  std::string message(int code) const override { return cudaGetErrorString(static_cast<cudaError_t>(code)); }
};

}  // namespace detail

}  // namespace system

inline const error_category& cuda_category() {
  static const system::detail::cuda_error_category only;
  return only;
}
namespace system {
using thrust::cuda_category;
}  // namespace system

}  // namespace thrust
