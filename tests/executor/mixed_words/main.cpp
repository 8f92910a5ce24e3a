//! run -> 2: parts of the program were compiled with shadow words of
// Parts of a program that do not agree on the size of a shadow word.
#include "../check.h"

int main() {}
