#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Signal handlers read these. They are written before `entered` is set and not changed until it is cleared.
static struct termios saved_settings;
static struct termios raw_settings;
static int terminal_input = -1;
static int terminal_output = -1;
// An own description of the output's device that does not block. Setting O_NONBLOCK on the output itself would change it
// for the shell too, which shares the description.
static int own_output = -1;
static uint8_t restore_bytes[CTERMINAL_RESTORE_LIMIT];
static size_t restore_count;
static atomic_bool entered;
static atomic_bool leaving;
static bool at_exit_registered;

static atomic_int signal_pipe = -1;
static atomic_bool ending;
// Whether a signal has asked the process to end, SIGHUP included, and how many SIGCONT have arrived.
static atomic_bool asked_to_end;
static atomic_uint continuations;
static bool handlers_installed;

static const int asked_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
static const int crash_signals[] = {SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE};
enum {
    asked_count = sizeof asked_signals / sizeof *asked_signals,
    crash_count = sizeof crash_signals / sizeof *crash_signals,
};
static struct sigaction asked_before[asked_count];
static struct sigaction crash_before[crash_count];

// How long a write waits for a terminal that accepts no byte, in milliseconds.
enum { frame_patience = 1000, ending_patience = 250 };
static int restore_patience;

static int64_t now_in_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int cterminal_output(void) {
    if (!atomic_load(&entered)) return -1;
    return own_output >= 0 ? own_output : terminal_output;
}

// Writes until the terminal has accepted no byte for `patience` milliseconds. A frame ends early when the terminal is
// restored, and has less patience when a signal has asked the process to end.
static int write_patiently(const uint8_t *bytes, size_t count, int patience, bool is_frame) {
    int descriptor = own_output >= 0 ? own_output : terminal_output;
    int64_t last_progress = now_in_milliseconds();
    while (count > 0) {
        if (is_frame && !atomic_load(&entered)) return ECANCELED;
        ssize_t written = -1;
        errno = EAGAIN;
        if (own_output >= 0) {
            written = write(descriptor, bytes, count);
        } else {
            // A descriptor that blocks: small pieces, each only when the terminal reports room.
            struct pollfd room = {.fd = descriptor, .events = POLLOUT};
            if (poll(&room, 1, 0) > 0) written = write(descriptor, bytes, count < 64 ? count : 64);
        }
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
            last_progress = now_in_milliseconds();
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return errno;
        int limit = is_frame && atomic_load(&ending) ? ending_patience : patience;
        int64_t left = limit - (now_in_milliseconds() - last_progress);
        if (left <= 0) return ETIMEDOUT;
        // Short waits, so that a change of `entered` or `ending` takes effect.
        struct pollfd room = {.fd = descriptor, .events = POLLOUT};
        poll(&room, 1, left < 20 ? (int)left : 20);
    }
    return 0;
}

int cterminal_size(int descriptor, int *columns, int *rows, int *width, int *height) {
    struct winsize window;
    if (ioctl(descriptor, TIOCGWINSZ, &window) != 0) return errno;
    *columns = window.ws_col;
    *rows = window.ws_row;
    *width = window.ws_xpixel;
    *height = window.ws_ypixel;
    return 0;
}

// A background process that changes the settings is stopped by SIGTTOU, unless the signal is blocked: it may have to leave
// the terminal.
static int set_settings(const struct termios *settings) {
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    int result;
    // TCSANOW: the other actions wait until the output has been read, which may be never.
    while ((result = tcsetattr(terminal_input, TCSANOW, settings)) != 0 && errno == EINTR) {
    }
    int failure = result == 0 ? 0 : errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

static void leave_at_exit(void) { cterminal_leave(); }

static bool is_in_background(void) {
    // Without job control, as on a terminal that is not the controlling one, there is no foreground group.
    pid_t foreground = tcgetpgrp(terminal_input);
    return foreground > 0 && foreground != getpgrp();
}

// Stops the process group, as the kernel does to one that changes the settings, until it is in the foreground. Returns 0,
// EIO if the group is orphaned, which no signal stops, or ECANCELED if a signal has asked the process to end.
static int wait_for_foreground(void) {
    struct sigaction before, action = {.sa_handler = SIG_DFL};
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, SIGTTOU);
    sigaction(SIGTTOU, &action, &before);
    pthread_sigmask(SIG_UNBLOCK, &set, &mask);
    int failure = 0;
    while (failure == 0 && is_in_background()) {
        unsigned continued = atomic_load(&continuations);
        // The whole group, so that a shell that has started a script sees a stopped job, which fg continues.
        kill(0, SIGTTOU);
        // Another thread may receive the signals: wait for the SIGCONT that ends a stop, and what was sent with it.
        for (int i = 0; i < 100 && atomic_load(&continuations) == continued; i++) poll(NULL, 0, 5);
        if (atomic_load(&asked_to_end)) failure = ECANCELED;
        else if (atomic_load(&continuations) == continued) failure = EIO;
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTTOU, &before, NULL);
    return failure;
}

static int begin(const uint8_t *enter, size_t enter_count) {
    int failure = wait_for_foreground();
    if (failure != 0) return failure;
    // The settings are read each time: a shell may have changed them while the process was stopped.
    if (tcgetattr(terminal_input, &saved_settings) != 0) return errno;
    raw_settings = saved_settings;
    cfmakeraw(&raw_settings);
    raw_settings.c_cc[VMIN] = 1;
    raw_settings.c_cc[VTIME] = 0;
    // Set first, so that every failure from here on restores the terminal.
    atomic_store(&entered, true);
    failure = set_settings(&raw_settings);
    if (failure == 0) failure = write_patiently(enter, enter_count, frame_patience, true);
    if (failure != 0) cterminal_leave();
    return failure;
}

static int open_own_output(int output) {
    char name[128];
    if (ttyname_r(output, name, sizeof name) != 0) return -1;
    int descriptor = open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -1;
    struct stat given, opened;
    if (fstat(output, &given) == 0 && fstat(descriptor, &opened) == 0 && given.st_rdev == opened.st_rdev) {
        return descriptor;
    }
    close(descriptor);
    return -1;
}

static pthread_mutex_t frame_lock = PTHREAD_MUTEX_INITIALIZER;

int cterminal_enter(int input, int output, const uint8_t *enter, size_t enter_count, const uint8_t *restore,
                    size_t count, int patience) {
    if (atomic_load(&entered)) return EBUSY;
    if (count > sizeof restore_bytes) return E2BIG;
    cterminal_close();
    terminal_input = input;
    terminal_output = output;
    own_output = open_own_output(output);
    memcpy(restore_bytes, restore, count);
    restore_count = count;
    restore_patience = patience;
    if (!at_exit_registered) {
        atexit(leave_at_exit);
        at_exit_registered = true;
    }
    return begin(enter, enter_count);
}

int cterminal_reenter(const uint8_t *enter, size_t enter_count) {
    if (atomic_load(&entered)) return EBUSY;
    if (terminal_input < 0) return EBADF;
    return begin(enter, enter_count);
}

bool cterminal_leave(void) {
    if (!atomic_exchange(&entered, false)) return false;
    int before = errno;
    atomic_store(&leaving, true);
    // The settings first: they take effect even if the output is not read.
    set_settings(&saved_settings);
    if (write_patiently(restore_bytes, restore_count, restore_patience, false) == ETIMEDOUT) {
        tcflush(terminal_output, TCOFLUSH);
        write_patiently(restore_bytes, restore_count, restore_patience, false);
    }
    atomic_store(&leaving, false);
    errno = before;
    return true;
}

bool cterminal_leave_between_frames(void) {
    pthread_mutex_lock(&frame_lock);
    bool left = cterminal_leave();
    pthread_mutex_unlock(&frame_lock);
    return left;
}

int cterminal_write_frame(const uint8_t *bytes, size_t count) {
    pthread_mutex_lock(&frame_lock);
    int failure = atomic_load(&entered) ? write_patiently(bytes, count, frame_patience, true) : 0;
    pthread_mutex_unlock(&frame_lock);
    return failure;
}

void cterminal_close(void) {
    pthread_mutex_lock(&frame_lock);
    if (!atomic_load(&entered) && own_output >= 0) {
        close(own_output);
        own_output = -1;
    }
    pthread_mutex_unlock(&frame_lock);
}

bool cterminal_is_raw(void) {
    struct termios settings;
    if (!atomic_load(&entered) || tcgetattr(terminal_input, &settings) != 0) return false;
    return (settings.c_lflag & (ICANON | ECHO)) == 0;
}

bool cterminal_is_entered(void) { return atomic_load(&entered); }

static void to_default(int number) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void cterminal_die(int number) {
    // Another thread may be restoring the terminal; its time is bounded.
    if (!cterminal_leave()) {
        for (int i = 0; i < 120 && atomic_load(&leaving); i++) poll(NULL, 0, 5);
    }
    to_default(number);
    kill(getpid(), number);
    // Another thread may receive the signal, or its default action may not end the process.
    for (int i = 0; i < 20; i++) poll(NULL, 0, 5);
    _exit(128 + number);
}

static bool is_ending(int number) {
    return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

static void asked(int number) {
    int before = errno;
    if (number == SIGCONT) atomic_fetch_add(&continuations, 1);
    if (is_ending(number)) {
        atomic_store(&asked_to_end, true);
        if (number != SIGHUP && atomic_exchange(&ending, true)) cterminal_die(number);
    }
    uint8_t byte = (uint8_t)number;
    int pipe = atomic_load(&signal_pipe);
    // A full pipe wakes the reader anyway.
    if (pipe < 0 || (write(pipe, &byte, 1) < 0 && errno != EAGAIN)) {
        if (is_ending(number)) cterminal_die(number);
    }
    errno = before;
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)context;
    cterminal_leave();
    for (int i = 0; i < crash_count; i++) {
        if (crash_signals[i] == number) sigaction(number, &crash_before[i], NULL);
    }
    // A fault occurs again when the instruction is repeated; a signal that was sent must be sent again.
    if (info == NULL || info->si_code <= 0 || number == SIGTRAP || number == SIGABRT) raise(number);
}

int cterminal_install_handlers(int pipe) {
    atomic_store(&signal_pipe, pipe);
    atomic_store(&ending, false);
    atomic_store(&asked_to_end, false);
    if (handlers_installed) return 0;
    handlers_installed = true;
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = asked;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < crash_count; i++) sigdelset(&action.sa_mask, crash_signals[i]);
    for (int i = 0; i < asked_count; i++) {
        if (sigaction(asked_signals[i], &action, &asked_before[i]) != 0) return errno;
        // A signal that the parent ignores, such as SIGHUP under nohup, stays ignored.
        if (asked_before[i].sa_handler == SIG_IGN && is_ending(asked_signals[i])) {
            sigaction(asked_signals[i], &asked_before[i], NULL);
        }
    }
    struct sigaction crash = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    crash.sa_sigaction = crashed;
    sigemptyset(&crash.sa_mask);
    // A handler cannot run on a stack that has overflowed. The runtime may have set an alternate stack already.
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
        static uint8_t alternate[65536];
        stack_t mine = {.ss_sp = alternate, .ss_size = sizeof alternate};
        sigaltstack(&mine, NULL);
    }
    for (int i = 0; i < crash_count; i++) {
        if (sigaction(crash_signals[i], &crash, &crash_before[i]) != 0) return errno;
    }
    return 0;
}

void cterminal_remove_handlers(void) {
    if (!handlers_installed) return;
    handlers_installed = false;
    for (int i = 0; i < asked_count; i++) sigaction(asked_signals[i], &asked_before[i], NULL);
    for (int i = 0; i < crash_count; i++) sigaction(crash_signals[i], &crash_before[i], NULL);
    atomic_store(&signal_pipe, -1);
}

static const int lent_signals[] = {SIGINT, SIGQUIT, SIGTSTP};
enum { lent_count = sizeof lent_signals / sizeof *lent_signals };
static struct sigaction lent_before[lent_count];

static void do_nothing(int number) { (void)number; }

// Ignoring a signal removes it if it is pending: another thread might receive it only after the next change.
static void discard_pending(int number) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(number, &ignore, NULL);
}

void cterminal_begin_lending(void) {
    // Not SIG_IGN, which the other program would inherit.
    struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    for (int i = 0; i < lent_count; i++) {
        sigaction(lent_signals[i], NULL, &lent_before[i]);
        if (lent_before[i].sa_handler != SIG_IGN) sigaction(lent_signals[i], &action, NULL);
    }
}

void cterminal_end_lending(void) {
    for (int i = 0; i < lent_count; i++) {
        discard_pending(lent_signals[i]);
        sigaction(lent_signals[i], &lent_before[i], NULL);
    }
}

void cterminal_stop(void) {
    struct sigaction before, action = {.sa_handler = SIG_DFL};
    sigaction(SIGTSTP, NULL, &before);
    // It would stop the process a second time.
    discard_pending(SIGTSTP);
    sigaction(SIGTSTP, &action, NULL);
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &set, &mask);
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &before, NULL);
}
