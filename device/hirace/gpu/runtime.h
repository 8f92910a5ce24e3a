// The GPU backend, as the files of a program include it.
#pragma once

#include "assertion.h"
#include "groups.h"
#include "launch.h"
#include "memory.h"
#include "registration.h"
#include "waiting.h"
