/*
 * A client in C over libcurl for comparison: performs one operation and prints what it cost.
 *
 * usage: curl-peer URL REQUESTS CONCURRENCY        seconds on the clock and of CPU for GETs of one URL
 *        curl-peer gather|stream|download URL      the bytes of the body, and the peak memory in KiB
 *        curl-peer cancel URL ROUNDS               the time at which each transfer was ended, in ns since the system's start
 *
 * One GET at a time goes through curl_easy_perform and one handle, several through curl_multi_poll and a handle each. The
 * connections are made, and used once, before the measurement. A body is collected in one block of its declared length,
 * read slowly, or written to a file.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The functions of libcurl that are used here, and its options by their fixed numbers: no -dev package is needed. */
typedef void CURL;
typedef void CURLM;

struct message {
    int kind; /* 1: the transfer is done */
    CURL *easy;
    union {
        void *whatever;
        int result;
    } data;
};

enum { MAXCONNECTS = 6, NOSIGNAL = 99, URL = 10002, PROXY = 10004, WRITEFUNCTION = 20011 };
enum { CONTENT_LENGTH_DOWNLOAD_T = 0x600000 + 15 };

int curl_global_init(long flags);
CURL *curl_easy_init(void);
void curl_easy_cleanup(CURL *easy);
int curl_easy_setopt(CURL *easy, int option, ...);
int curl_easy_getinfo(CURL *easy, int info, ...);
int curl_easy_perform(CURL *easy);
CURLM *curl_multi_init(void);
int curl_multi_cleanup(CURLM *multi);
int curl_multi_setopt(CURLM *multi, int option, ...);
int curl_multi_add_handle(CURLM *multi, CURL *easy);
int curl_multi_remove_handle(CURLM *multi, CURL *easy);
int curl_multi_perform(CURLM *multi, int *running);
int curl_multi_poll(CURLM *multi, void *extra, unsigned int extra_count, int milliseconds, int *ready);
struct message *curl_multi_info_read(CURLM *multi, int *left);

static size_t received;

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    received += size * count;
    return size * count;
}

static CURL *handle(const char *url) {
    CURL *easy = curl_easy_init();
    if (easy == NULL) exit(1);
    curl_easy_setopt(easy, URL, url);
    curl_easy_setopt(easy, NOSIGNAL, 1L);
    curl_easy_setopt(easy, PROXY, "");
    curl_easy_setopt(easy, WRITEFUNCTION, take);
    return easy;
}

/* ---- Speed ---- */

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Returns the next finished transfer and its result, or NULL. */
static CURL *next_finished(CURLM *multi, int *result) {
    int left = 0;
    struct message *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->kind != 1) continue;
        *result = message->data.result;
        return message->easy;
    }
    return NULL;
}

/* Runs a number of transfers, `width` at a time; returns false if one failed. */
static int run(CURLM *multi, CURL **handles, int width, int requests) {
    int begun = 0, ended = 0, running = 0, result = 0;
    CURL *easy;
    while (begun < width && begun < requests) curl_multi_add_handle(multi, handles[begun++]);
    while (ended < requests) {
        curl_multi_perform(multi, &running);
        while ((easy = next_finished(multi, &result)) != NULL) {
            if (result != 0) return 0;
            ended++;
            curl_multi_remove_handle(multi, easy);
            if (begun < requests) {
                curl_multi_add_handle(multi, easy);
                begun++;
            }
        }
        if (ended < requests) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    return 1;
}

static int sequential(CURL *easy, int requests) {
    for (int i = 0; i < requests; i++)
        if (curl_easy_perform(easy) != 0) return 0;
    return 1;
}

static int speed(const char *url, int requests, int width) {
    if (requests < 1 || width < 1 || width > 1024) return 2;
    CURL *handles[1024];
    for (int i = 0; i < width; i++) handles[i] = handle(url);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, MAXCONNECTS, (long)width);
    for (int turn = 0; turn < 2; turn++) {
        double start = wall(), spent = cpu();
        int wanted = turn == 0 ? width : requests;
        if (!(width == 1 ? sequential(handles[0], wanted) : run(multi, handles, width, wanted))) return 1;
        if (turn == 1) printf("%.9f %.9f\n", wall() - start, cpu() - spent);
    }
    for (int i = 0; i < width; i++) curl_easy_cleanup(handles[i]);
    curl_multi_cleanup(multi);
    return received > 0 ? 0 : 1;
}

/* ---- Memory ---- */

static struct {
    CURL *easy;
    char *bytes;
    int64_t capacity;
    FILE *file;
    unsigned long pieces;
} body;

static size_t gather(char *bytes, size_t size, size_t count, void *context) {
    (void)context;
    if (body.bytes == NULL) {
        curl_easy_getinfo(body.easy, CONTENT_LENGTH_DOWNLOAD_T, &body.capacity);
        if (body.capacity < 0 || (body.bytes = malloc((size_t)body.capacity)) == NULL) return 0;
    }
    if (received + size * count > (size_t)body.capacity) return 0;
    memcpy(body.bytes + received, bytes, size * count);
    received += size * count;
    return size * count;
}

static size_t read_slowly(char *bytes, size_t size, size_t count, void *context) {
    if (++body.pieces % 8 == 0) usleep(5000);
    return take(bytes, size, count, context);
}

static size_t save(char *bytes, size_t size, size_t count, void *context) {
    (void)context;
    if (fwrite(bytes, size, count, body.file) != count) return 0;
    received += size * count;
    return size * count;
}

/* Returns the peak memory in KiB; 0 if the system does not report it. */
static long peak(void) {
    char line[256];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) sscanf(line, "VmHWM: %ld", &kilobytes);
    if (status != NULL) fclose(status);
    return kilobytes;
}

static int memory(const char *way, const char *url) {
    body.easy = handle(url);
    if (strcmp(way, "download") == 0) {
        if ((body.file = tmpfile()) == NULL) return 1;
        curl_easy_setopt(body.easy, WRITEFUNCTION, save);
    } else {
        curl_easy_setopt(body.easy, WRITEFUNCTION, strcmp(way, "gather") == 0 ? gather : read_slowly);
    }
    int result = curl_easy_perform(body.easy);
    if (body.file != NULL) fclose(body.file);
    curl_easy_cleanup(body.easy);
    printf("%zu %ld\n", received, peak());
    free(body.bytes);
    return result == 0 ? 0 : 1;
}

/* ---- Cancelling ---- */

/* Ends transfers without a response, each on its own connection. */
static int cancel(const char *url, int rounds) {
    CURLM *multi = curl_multi_init();
    for (int round = 0; round < rounds; round++) {
        CURL *easy = handle(url);
        int running = 1;
        curl_multi_add_handle(multi, easy);
        /* Long enough for the request to be sent. */
        for (double start = wall(); wall() - start < 0.03;) {
            curl_multi_perform(multi, &running);
            if (running == 0) return 1;
            curl_multi_poll(multi, NULL, 0, 5, NULL);
        }
        struct timespec now;
#ifdef CLOCK_BOOTTIME
        clock_gettime(CLOCK_BOOTTIME, &now);
#else
        clock_gettime(CLOCK_MONOTONIC, &now);
#endif
        curl_multi_remove_handle(multi, easy);
        curl_easy_cleanup(easy);
        printf("%lld\n", (long long)now.tv_sec * 1000000000LL + now.tv_nsec);
    }
    curl_multi_cleanup(multi);
    return 0;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    curl_global_init(3);
    if (strcmp(arguments[1], "cancel") == 0) return count == 4 ? cancel(arguments[2], atoi(arguments[3])) : 2;
    if (count == 3) return memory(arguments[1], arguments[2]);
    return count == 4 ? speed(arguments[1], atoi(arguments[2]), atoi(arguments[3])) : 2;
}
