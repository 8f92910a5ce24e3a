#pragma once

// The sum of some bytes.
int sum_on_device(const unsigned char* bytes, int count);
