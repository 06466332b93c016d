#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// Handlers read these; they are written before `entered` is set, and then left alone until it is cleared.
static struct termios saved_settings;
static struct termios raw_settings;
static int terminal_input = -1;
static int terminal_output = -1;
static uint8_t restore_bytes[CTERMINAL_RESTORE_LIMIT];
static size_t restore_count;
static atomic_bool entered;
static bool at_exit_registered;

static atomic_int signal_pipe = -1;
static atomic_bool ending;
static bool handlers_installed;

static const int asked_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
static const int crash_signals[] = {SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE};
enum {
    asked_count = sizeof asked_signals / sizeof *asked_signals,
    crash_count = sizeof crash_signals / sizeof *crash_signals,
};
static struct sigaction asked_before[asked_count];
static struct sigaction crash_before[crash_count];

int cterminal_write(int descriptor, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd waiting = {.fd = descriptor, .events = POLLOUT};
            if (poll(&waiting, 1, 2000) == 0) return EAGAIN;
        } else if (written < 0 && errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int cterminal_size(int descriptor, int *columns, int *rows) {
    struct winsize window;
    if (ioctl(descriptor, TIOCGWINSZ, &window) != 0) return errno;
    *columns = window.ws_col;
    *rows = window.ws_row;
    return 0;
}

// A process in the background that sets the terminal is stopped by SIGTTOU, unless it is blocked.
static int set_settings(const struct termios *settings) {
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    int result;
    while ((result = tcsetattr(terminal_input, TCSANOW, settings)) != 0 && errno == EINTR) {
    }
    int failure = result == 0 ? 0 : errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

static void leave_at_exit(void) { cterminal_leave(); }

static int begin(const uint8_t *enter, size_t enter_count) {
    // Entered first: whatever happens from here on gives the terminal back.
    atomic_store(&entered, true);
    int failure = set_settings(&raw_settings);
    if (failure == 0) failure = cterminal_write(terminal_output, enter, enter_count);
    if (failure != 0) cterminal_leave();
    return failure;
}

int cterminal_enter(int input, int output, const uint8_t *enter, size_t enter_count, const uint8_t *restore,
                    size_t count) {
    if (atomic_load(&entered)) return EBUSY;
    if (count > sizeof restore_bytes) return E2BIG;
    if (tcgetattr(input, &saved_settings) != 0) return errno;
    terminal_input = input;
    terminal_output = output;
    memcpy(restore_bytes, restore, count);
    restore_count = count;
    raw_settings = saved_settings;
    cfmakeraw(&raw_settings);
    raw_settings.c_cc[VMIN] = 1;
    raw_settings.c_cc[VTIME] = 0;
    if (!at_exit_registered) {
        atexit(leave_at_exit);
        at_exit_registered = true;
    }
    return begin(enter, enter_count);
}

int cterminal_reenter(const uint8_t *enter, size_t enter_count) {
    if (atomic_load(&entered)) return EBUSY;
    if (terminal_input < 0) return EBADF;
    // A shell may have changed the settings while the process was stopped.
    if (tcgetattr(terminal_input, &saved_settings) != 0) return errno;
    return begin(enter, enter_count);
}

bool cterminal_leave(void) {
    if (!atomic_exchange(&entered, false)) return false;
    int before = errno;
    cterminal_write(terminal_output, restore_bytes, restore_count);
    set_settings(&saved_settings);
    errno = before;
    return true;
}

static pthread_mutex_t frame_lock = PTHREAD_MUTEX_INITIALIZER;

bool cterminal_leave_between_frames(void) {
    pthread_mutex_lock(&frame_lock);
    bool left = cterminal_leave();
    pthread_mutex_unlock(&frame_lock);
    return left;
}

int cterminal_write_frame(const uint8_t *bytes, size_t count) {
    pthread_mutex_lock(&frame_lock);
    int failure = atomic_load(&entered) ? cterminal_write(terminal_output, bytes, count) : 0;
    pthread_mutex_unlock(&frame_lock);
    return failure;
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
    cterminal_leave();
    to_default(number);
    kill(getpid(), number);
    // Another thread may take it, or it may be one that a process survives.
    for (int i = 0; i < 20; i++) poll(NULL, 0, 5);
    _exit(128 + number);
}

static bool is_ending(int number) {
    return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

static void asked(int number) {
    int before = errno;
    if (is_ending(number) && atomic_exchange(&ending, true)) cterminal_die(number);
    uint8_t byte = (uint8_t)number;
    int pipe = atomic_load(&signal_pipe);
    // A full pipe holds enough news already.
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
    // A fault comes back by itself when the instruction runs again; a signal that was sent has to be sent again.
    if (info == NULL || info->si_code <= 0 || number == SIGTRAP || number == SIGABRT) raise(number);
}

int cterminal_install_handlers(int pipe) {
    atomic_store(&signal_pipe, pipe);
    atomic_store(&ending, false);
    if (handlers_installed) return 0;
    handlers_installed = true;
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = asked;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < crash_count; i++) sigdelset(&action.sa_mask, crash_signals[i]);
    for (int i = 0; i < asked_count; i++) {
        if (sigaction(asked_signals[i], &action, &asked_before[i]) != 0) return errno;
        // What the parent had ignored, as nohup does with SIGHUP, stays ignored.
        if (asked_before[i].sa_handler == SIG_IGN && is_ending(asked_signals[i])) {
            sigaction(asked_signals[i], &asked_before[i], NULL);
        }
    }
    struct sigaction crash = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    crash.sa_sigaction = crashed;
    sigemptyset(&crash.sa_mask);
    // A stack that overflowed cannot run a handler. The runtime may have set an alternate stack already.
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

void cterminal_stop(void) {
    struct sigaction before, action = {.sa_handler = SIG_DFL};
    sigaction(SIGTSTP, &action, &before);
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &set, &mask);
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &before, NULL);
}
