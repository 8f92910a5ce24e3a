#include "../../torch_stub.h"
