/*
 * C over libcurl, to compare with: GETs one URL again and again and prints seconds on the clock and of CPU.
 *
 * usage: curl-peer URL REQUESTS CONCURRENCY
 *
 * One at a time goes through curl_easy_perform and one handle, several through curl_multi_poll and a handle each. The
 * connections are made, and used once, before the measuring.
 */
#include <CLibcurl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int curl_easy_perform(CURL *easy);

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
    curl_easy_setopt(easy, PAW_CURLOPT_URL, url);
    curl_easy_setopt(easy, PAW_CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, PAW_CURLOPT_PROXY, "");
    curl_easy_setopt(easy, PAW_CURLOPT_WRITEFUNCTION, take);
    return easy;
}

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

/* Runs so many transfers, `width` at a time; false when one failed. */
static int run(CURLM *multi, CURL **handles, int width, int requests) {
    int begun = 0, ended = 0, running = 0, result = 0;
    CURL *easy;
    while (begun < width && begun < requests) curl_multi_add_handle(multi, handles[begun++]);
    while (ended < requests) {
        curl_multi_perform(multi, &running);
        while ((easy = paw_curl_next_finished(multi, &result)) != NULL) {
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

int main(int count, char **arguments) {
    if (count != 4) return 2;
    int requests = atoi(arguments[2]), width = atoi(arguments[3]);
    if (requests < 1 || width < 1 || width > 1024) return 2;
    curl_global_init(3);
    CURL *handles[1024];
    for (int i = 0; i < width; i++) handles[i] = handle(arguments[1]);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, PAW_CURLMOPT_MAXCONNECTS, (long)width);
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
