#pragma once

#include <stdbool.h>
#include <stdint.h>

// `statx` with a choice of what to ask for, which the C library keeps from Swift.

/// Which file it is, and how long.
struct cfile_outline {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    bool is_regular;
};

/// Tells of the file at a path, of a symbolic link itself, without asking for its times. Returns 0, or errno.
int cfile_outline(const char *path, struct cfile_outline *outline);
