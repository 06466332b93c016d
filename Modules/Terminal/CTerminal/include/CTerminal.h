#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of terminal handling that runs inside signal handlers, where Swift code must not run.

/// The maximum length of the restore sequence in bytes.
enum { CTERMINAL_RESTORE_LIMIT = 256 };

/// Saves the settings of the terminal `input`, sets raw mode, writes `enter` to `output` and stores `restore` for
/// cterminal_leave, which then waits for `patience` milliseconds if the output is not read. Returns 0 or errno: EBUSY if
/// a terminal has been entered already, E2BIG if `restore` is too long, ETIMEDOUT if the terminal's output is not read.
///
/// In the background it first stops the process group until a shell continues it in the foreground. That requires the
/// handlers of cterminal_install_handlers. Then it fails with ECANCELED after a signal that asks the process to end, and
/// with EIO if the group is orphaned and cannot be stopped.
int cterminal_enter(int input, int output, const uint8_t *enter, size_t enter_count, const uint8_t *restore,
                    size_t restore_count, int patience);

/// Enters again after cterminal_leave. Saves the settings anew, because a shell may have changed them in between.
/// Waits in the background as cterminal_enter does. Returns 0 or errno.
int cterminal_reenter(const uint8_t *enter, size_t enter_count);

/// Restores the terminal: first its settings, then its modes by the restore sequence. If the terminal's output is not
/// read, it waits for the time given to cterminal_enter, discards unread output and writes the sequence in its place.
/// Async-signal-safe. Returns whether the terminal had been entered; a second call does nothing.
bool cterminal_leave(void);

/// Restores the terminal as cterminal_leave does, but not in the middle of a frame. Takes a lock, so it must not be
/// called in a signal handler.
bool cterminal_leave_between_frames(void);

/// Writes a frame, unless the terminal has been restored. Returns 0 or errno: ETIMEDOUT if the terminal has accepted no
/// byte for a second, ECANCELED if it was restored meanwhile. Takes a lock, so it must not be called in a signal handler.
int cterminal_write_frame(const uint8_t *bytes, size_t count);

/// The descriptor that frames are written to, for poll; -1 if no terminal is entered.
int cterminal_output(void);

/// Releases the descriptor that cterminal_enter opened. Call it after cterminal_leave; does nothing before.
void cterminal_close(void);

/// Returns whether the entered terminal is still in raw mode: a shell resets it while the process is stopped.
bool cterminal_is_raw(void);

/// Returns whether a terminal is entered.
bool cterminal_is_entered(void);

/// Installs the signal handlers. SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH write their number as a
/// byte to `pipe`. A second SIGINT, SIGTERM or SIGQUIT restores the terminal and ends the process; a second SIGHUP does
/// not, because the kernel and a shell both send it when a terminal is closed. SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS
/// and SIGFPE restore the terminal and continue with the previous handler. Returns 0 or errno.
int cterminal_install_handlers(int pipe);

/// Restores the handlers that were installed before cterminal_install_handlers.
void cterminal_remove_handlers(void);

/// Restores the terminal and ends the process with `signal`'s default action.
void cterminal_die(int signal);

/// Has SIGINT, SIGQUIT and SIGTSTP do nothing in this process while another program uses the terminal: its keys send them to
/// the whole process group.
void cterminal_begin_lending(void);

/// Restores the handlers after cterminal_begin_lending, without the signals sent until now.
void cterminal_end_lending(void);

/// Stops the process with SIGTSTP's default action; returns when it is continued. An orphaned process group cannot be
/// stopped: then it returns at once.
void cterminal_stop(void);

/// Reads the size of the terminal's window in cells, and in pixels where the terminal reports it (otherwise 0).
/// Returns 0 or errno.
int cterminal_size(int descriptor, int *columns, int *rows, int *width, int *height);
