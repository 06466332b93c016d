#pragma once

#include <stdbool.h>
#include <stdint.h>

// System calls that the C library does not make available to Swift.

/// The identity and the size of a file.
struct cfile_outline {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    bool is_regular;
};

/// Reads the outline of the file at a path, or of a symbolic link itself, without requesting its times. Returns 0 or errno.
int cfile_outline(const char *path, struct cfile_outline *outline);

/// Locks the place in the queue of those that wait for the file's `flock`: the first byte, for the open file description.
/// Returns 0, or errno: EAGAIN or EACCES if another has it and `waits` is false. Does nothing where the system has no such
/// locks beside those of `flock`.
int cfile_lock_queue(int descriptor, bool waits);

/// Unlocks the place in the queue.
void cfile_unlock_queue(int descriptor);
