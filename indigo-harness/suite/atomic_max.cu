//@ if float
// Floats that are not negative are in the order of their bits.
__device__ void atomic_max(float* to, float value) { atomicMax(reinterpret_cast<int*>(to), __float_as_int(value)); }
//@ elif double
// Doubles that are not negative are in the order of their bits.
__device__ void atomic_max(double* to, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(__double_as_longlong(value)));
}
//@ else
__device__ void atomic_max(data_t* to, data_t value) { atomicMax(to, value); }
//@ end
