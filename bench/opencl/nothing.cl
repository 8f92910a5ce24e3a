kernel void nothing(global int* a) {}
