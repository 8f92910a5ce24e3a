// What several files of a program would include: a variable and a function of the device.
#pragma once

__device__ int visits[4];

__device__ int visit(int place)
{
    return visits[place]++;
}
