#define _GNU_SOURCE
#include "SocketWatcher.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define MAXIMUM 64

int paw_socket_wait(int socket, int actions, int microseconds) {
    struct pollfd entry = {.fd = socket};
    if (actions & PAW_SOCKET_READABLE) entry.events |= POLLIN;
    if (actions & PAW_SOCKET_WRITABLE) entry.events |= POLLOUT;
#ifdef __linux__
    struct timespec limit = {0, (long)microseconds * 1000};
    int count = ppoll(&entry, 1, &limit, NULL);
#else
    int count = poll(&entry, 1, (microseconds + 999) / 1000);
#endif
    if (count <= 0) return 0;
    return (entry.revents & (POLLIN | POLLHUP) ? PAW_SOCKET_READABLE : 0) |
           (entry.revents & POLLOUT ? PAW_SOCKET_WRITABLE : 0) |
           (entry.revents & (POLLERR | POLLNVAL) ? PAW_SOCKET_FAILED : 0);
}

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

int paw_watcher_open(struct paw_socket_watcher *watcher) {
    watcher->queue = epoll_create1(EPOLL_CLOEXEC);
    watcher->wakeup = watcher->queue < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = watcher->wakeup};
    if (watcher->wakeup >= 0 && epoll_ctl(watcher->queue, EPOLL_CTL_ADD, watcher->wakeup, &event) == 0) return 0;
    int code = errno;
    paw_watcher_close(watcher);
    return code;
}

void paw_watcher_close(struct paw_socket_watcher *watcher) {
    if (watcher->wakeup >= 0) close(watcher->wakeup);
    if (watcher->queue >= 0) close(watcher->queue);
}

void paw_watcher_watch(struct paw_socket_watcher *watcher, int socket, int actions) {
    struct epoll_event event = {.data.fd = socket};
    if (actions & PAW_SOCKET_READABLE) event.events |= EPOLLIN;
    if (actions & PAW_SOCKET_WRITABLE) event.events |= EPOLLOUT;
    /* A socket of a reused connection is known already; a closed one is forgotten by the system. */
    if (epoll_ctl(watcher->queue, EPOLL_CTL_MOD, socket, &event) != 0 && errno == ENOENT)
        epoll_ctl(watcher->queue, EPOLL_CTL_ADD, socket, &event);
}

void paw_watcher_ignore(struct paw_socket_watcher *watcher, int socket) {
    epoll_ctl(watcher->queue, EPOLL_CTL_DEL, socket, NULL);
}

void paw_watcher_wake(struct paw_socket_watcher *watcher) {
    uint64_t one = 1;
    while (write(watcher->wakeup, &one, sizeof one) < 0 && errno == EINTR) {}
}

int paw_watcher_wait(
    struct paw_socket_watcher *watcher, struct paw_socket_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[MAXIMUM];
    int count = epoll_wait(watcher->queue, ready, capacity < MAXIMUM ? capacity : MAXIMUM, milliseconds);
    int kept = 0;
    for (int index = 0; index < count; index++) {
        if (ready[index].data.fd == watcher->wakeup) {
            uint64_t number;
            while (read(watcher->wakeup, &number, sizeof number) < 0 && errno == EINTR) {}
            continue;
        }
        uint32_t bits = ready[index].events;
        events[kept++] = (struct paw_socket_event){
            ready[index].data.fd,
            (bits & (EPOLLIN | EPOLLHUP) ? PAW_SOCKET_READABLE : 0) | (bits & EPOLLOUT ? PAW_SOCKET_WRITABLE : 0) |
                (bits & EPOLLERR ? PAW_SOCKET_FAILED : 0)};
    }
    return kept;
}

#else
#include <fcntl.h>
#include <sys/event.h>
#include <time.h>

int paw_watcher_open(struct paw_socket_watcher *watcher) {
    watcher->wakeup = -1;
    watcher->queue = kqueue();
    if (watcher->queue < 0) return errno;
    fcntl(watcher->queue, F_SETFD, FD_CLOEXEC);
    struct kevent event;
    EV_SET(&event, 0, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    if (kevent(watcher->queue, &event, 1, NULL, 0, NULL) == 0) return 0;
    int code = errno;
    paw_watcher_close(watcher);
    return code;
}

void paw_watcher_close(struct paw_socket_watcher *watcher) {
    if (watcher->queue >= 0) close(watcher->queue);
}

void paw_watcher_watch(struct paw_socket_watcher *watcher, int socket, int actions) {
    struct kevent event;
    /* Each in a call of its own, since deleting a filter that does not exist fails. */
    EV_SET(&event, socket, EVFILT_READ, actions & PAW_SOCKET_READABLE ? EV_ADD : EV_DELETE, 0, 0, NULL);
    kevent(watcher->queue, &event, 1, NULL, 0, NULL);
    EV_SET(&event, socket, EVFILT_WRITE, actions & PAW_SOCKET_WRITABLE ? EV_ADD : EV_DELETE, 0, 0, NULL);
    kevent(watcher->queue, &event, 1, NULL, 0, NULL);
}

void paw_watcher_ignore(struct paw_socket_watcher *watcher, int socket) { paw_watcher_watch(watcher, socket, 0); }

void paw_watcher_wake(struct paw_socket_watcher *watcher) {
    struct kevent event;
    EV_SET(&event, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    kevent(watcher->queue, &event, 1, NULL, 0, NULL);
}

int paw_watcher_wait(
    struct paw_socket_watcher *watcher, struct paw_socket_event *events, int capacity, int milliseconds) {
    struct kevent ready[MAXIMUM];
    struct timespec limit = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    int count = kevent(watcher->queue, NULL, 0, ready, capacity < MAXIMUM ? capacity : MAXIMUM, &limit);
    int kept = 0;
    for (int index = 0; index < count; index++) {
        if (ready[index].filter == EVFILT_USER) continue;
        int actions = ready[index].filter == EVFILT_READ ? PAW_SOCKET_READABLE : PAW_SOCKET_WRITABLE;
        events[kept++] = (struct paw_socket_event){(int)ready[index].ident, actions};
    }
    return kept;
}
#endif
