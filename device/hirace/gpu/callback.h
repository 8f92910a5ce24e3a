// A function object of the caller, for as long as a call lasts. <functional> would take longer to compile than all
// that uses it.
#pragma once

namespace hirace::gpu {

template <class Signature>
class Callback;

template <class Result, class... Arguments>
class Callback<Result(Arguments...)> {
 public:
  template <class Function>
  Callback(const Function& function) : function_(&function), call_(&call<Function>) {}

  Result operator()(Arguments... arguments) const { return call_(function_, arguments...); }

 private:
  template <class Function>
  static Result call(const void* function, Arguments... arguments) {
    return (*static_cast<const Function*>(function))(arguments...);
  }

  const void* function_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace hirace::gpu
