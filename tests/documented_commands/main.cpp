#include <cstdio>
#include <cstdlib>

#include "solver.h"

// Reads so many bytes of a file, and prints their sum.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::FILE* const file = std::fopen(argv[1], "rb");
  if (file == nullptr) return 2;
  unsigned char bytes[64];
  const int wanted = std::atoi(argv[2]);
  const int count = static_cast<int>(std::fread(bytes, 1, sizeof bytes, file));
  std::fclose(file);
  std::printf("%d\n", sum_on_device(bytes, count < wanted ? count : wanted));
}
