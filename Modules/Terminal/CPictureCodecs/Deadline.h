#pragma once

#include "include/CPictureCodecs.h"

#include <time.h>

// Returns whether the time limit of a request has passed; false without one.
static inline bool is_late(picture_codec_request request) {
    if (request.deadline == 0) return false;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec > request.deadline;
}

// Returns the monotonic time in nanoseconds at which a decoder that starts now has to end.
static inline uint64_t deadline_after(uint64_t nanoseconds) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + nanoseconds;
}
