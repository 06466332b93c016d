/*
 * Waits until sockets are ready: epoll on Linux, kqueue on Apple platforms. Sockets can be watched while another thread waits.
 */
#pragma once

enum { PAW_SOCKET_READABLE = 1, PAW_SOCKET_WRITABLE = 2, PAW_SOCKET_FAILED = 4 };

struct paw_socket_watcher {
    int queue;
    int wakeup;
};

struct paw_socket_event {
    int socket;
    int actions; /* a sum of the numbers above */
};

/* Opens a watcher; returns 0 or an error number. */
int paw_watcher_open(struct paw_socket_watcher *watcher);
void paw_watcher_close(struct paw_socket_watcher *watcher);

/* Watches a socket for reading, writing or both in place of what it was watched for. Closing a socket ends that, too. */
void paw_watcher_watch(struct paw_socket_watcher *watcher, int socket, int actions);
void paw_watcher_ignore(struct paw_socket_watcher *watcher, int socket);

/* Makes the current wait, or the next one, return at once. */
void paw_watcher_wake(struct paw_socket_watcher *watcher);

/* Waits for events and returns their number; 0 after the time, a wakeup or a signal. */
int paw_watcher_wait(
    struct paw_socket_watcher *watcher, struct paw_socket_event *events, int capacity, int milliseconds);

/* Waits for a single socket without a watcher, for some microseconds (on Apple platforms at least 1,000); returns the actions
 * that are possible, or 0. */
int paw_socket_wait(int socket, int actions, int microseconds);
