// Maps errors of the CUDA runtime that make a device unusable to faults for the report.
#pragma once

#include "../records/record.h"
#include "cuda_call.h"

namespace hirace::gpu {

// Fault::none for errors that leave the device usable.
inline Fault fault_of(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc: return Fault::illegal_address;
    case cudaErrorAssert: return Fault::assertion;
    case cudaErrorHardwareStackError: return Fault::stack_overflow;
    case cudaErrorIllegalInstruction:
    case cudaErrorLaunchFailure: return Fault::trap;
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable: return Fault::abort;
    default: return Fault::none;
  }
}

}  // namespace hirace::gpu
