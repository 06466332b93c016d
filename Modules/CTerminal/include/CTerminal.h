#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of terminal handling that must be safe inside a signal handler: Swift code may not run there.

/// The most bytes that the restore sequence may have.
enum { CTERMINAL_RESTORE_LIMIT = 256 };

/// Keeps the settings of the terminal `input`, sets raw mode, writes `enter` to `output` and remembers `restore`.
/// Returns 0, or errno. EBUSY where a terminal is entered already, E2BIG where `restore` is too long.
int cterminal_enter(int input, int output, const uint8_t *enter, size_t enter_count, const uint8_t *restore,
                    size_t restore_count);

/// Enters again after cterminal_leave, with the sequences and the raw mode of the last cterminal_enter.
int cterminal_reenter(const uint8_t *enter, size_t enter_count);

/// Gives the terminal back, once: writes the restore sequence and sets the settings it had. Async-signal-safe.
/// Returns whether it was entered.
bool cterminal_leave(void);

/// Gives the terminal back as cterminal_leave does, between two frames. Not for signal handlers: it takes a lock.
bool cterminal_leave_between_frames(void);

/// Writes a frame whole, unless the terminal is given back. Not for signal handlers: it takes a lock. Returns 0, or errno.
int cterminal_write_frame(const uint8_t *bytes, size_t count);

/// Whether the entered terminal still has the raw mode: a shell takes it away from a stopped process.
bool cterminal_is_raw(void);

/// Whether a terminal is entered now.
bool cterminal_is_entered(void);

/// Installs the handlers. SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH write their number as one
/// byte to `pipe`; a second ending signal gives the terminal back and ends the process. SIGSEGV, SIGILL, SIGTRAP,
/// SIGABRT, SIGBUS and SIGFPE give the terminal back and go on to the handler that was there before. Returns 0, or errno.
int cterminal_install_handlers(int pipe);

/// Puts back the handlers that were there before.
void cterminal_remove_handlers(void);

/// Ends the process by `signal` as if it had not been handled, the terminal given back first.
void cterminal_die(int signal);

/// Stops the process by SIGTSTP as if it had not been handled; returns when it is continued. An orphaned process group
/// cannot be stopped, and then this returns at once.
void cterminal_stop(void);

/// Writes all bytes, waiting where the terminal is slow. Returns 0, or errno.
int cterminal_write(int descriptor, const uint8_t *bytes, size_t count);

/// The window's columns and rows as the terminal `descriptor` tells them. Returns 0, or errno.
int cterminal_size(int descriptor, int *columns, int *rows);
