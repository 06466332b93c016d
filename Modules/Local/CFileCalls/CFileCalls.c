#define _GNU_SOURCE
#include "CFileCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__) && defined(STATX_INO)
#include <sys/sysmacros.h>

int cfile_outline(const char *path, struct cfile_outline *outline) {
    struct statx status;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_INO | STATX_SIZE, &status) != 0) return errno;
    outline->device = makedev(status.stx_dev_major, status.stx_dev_minor);
    outline->inode = status.stx_ino;
    outline->size = (int64_t)status.stx_size;
    outline->is_regular = S_ISREG(status.stx_mode);
    return 0;
}
#else
int cfile_outline(const char *path, struct cfile_outline *outline) {
    struct stat status;
    if (lstat(path, &status) != 0) return errno;
    outline->device = (uint64_t)status.st_dev;
    outline->inode = (uint64_t)status.st_ino;
    outline->size = (int64_t)status.st_size;
    outline->is_regular = S_ISREG(status.st_mode);
    return 0;
}
#endif

// On Apple platforms both kinds of lock are in one list and have the same owner: this one would change the range of the flock
// that is obtained with it, rather than wait beside it.
#if defined(F_OFD_SETLK) && !defined(__APPLE__)
static int queue(int descriptor, int command, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    return fcntl(descriptor, command, &lock) == 0 ? 0 : errno;
}

int cfile_lock_queue(int descriptor, bool waits) {
    return queue(descriptor, waits ? F_OFD_SETLKW : F_OFD_SETLK, F_WRLCK);
}

void cfile_unlock_queue(int descriptor) { queue(descriptor, F_OFD_SETLK, F_UNLCK); }
#else
int cfile_lock_queue(int descriptor, bool waits) {
    (void)descriptor;
    (void)waits;
    return 0;
}

void cfile_unlock_queue(int descriptor) { (void)descriptor; }
#endif
