/*
 * Declarations of the functions of libcurl 7.68 and newer, and of zlib, that PawKit calls. Their binary interfaces are
 * stable, so that the run-time libraries are enough to build. libcurl guarantees the numbers of its options.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "SocketWatcher.h"

/* libcurl: types */

typedef void CURL;
typedef void CURLM;
struct curl_slist;

typedef size_t (*paw_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*paw_curl_seek_callback)(void *context, int64_t offset, int origin);
typedef int (*paw_curl_prerequest_callback)(
    void *context, char *primary_address, char *local_address, int primary_port, int local_port);
typedef int (*paw_curl_debug_callback)(CURL *easy, int kind, char *bytes, size_t size, void *context);

typedef int (*paw_curl_socket_callback)(CURL *easy, int socket, int actions, void *context, void *socket_context);

enum { PAW_CURL_SOCKET_TIMEOUT = -1, PAW_CURL_POLL_REMOVE = 4 };

struct paw_curl_version {
    int age;
    const char *version;
    unsigned int number; /* 0xXXYYZZ */
};

struct paw_curl_message {
    int kind; /* 1: the transfer is done */
    CURL *easy;
    union {
        void *whatever;
        int result;
    } data;
};

/* libcurl: options, results and infos by their fixed numbers */

enum paw_curl_option {
    PAW_CURLOPT_WRITEDATA = 10001,
    PAW_CURLOPT_URL = 10002,
    PAW_CURLOPT_PROXY = 10004,
    PAW_CURLOPT_READDATA = 10009,
    PAW_CURLOPT_ERRORBUFFER = 10010,
    PAW_CURLOPT_WRITEFUNCTION = 20011,
    PAW_CURLOPT_READFUNCTION = 20012,
    PAW_CURLOPT_HTTPHEADER = 10023,
    PAW_CURLOPT_HEADERDATA = 10029,
    PAW_CURLOPT_CUSTOMREQUEST = 10036,
    PAW_CURLOPT_NOPROGRESS = 43,
    PAW_CURLOPT_NOBODY = 44,
    PAW_CURLOPT_UPLOAD = 46,
    PAW_CURLOPT_FOLLOWLOCATION = 52,
    PAW_CURLOPT_HEADERFUNCTION = 20079,
    PAW_CURLOPT_BUFFERSIZE = 98,
    PAW_CURLOPT_NOSIGNAL = 99,
    PAW_CURLOPT_INFILESIZE_LARGE = 30115,
    PAW_CURLOPT_CONNECTTIMEOUT_MS = 156,
    PAW_CURLOPT_SEEKFUNCTION = 20167,
    PAW_CURLOPT_SEEKDATA = 10168,
    PAW_CURLOPT_NOPROXY = 10177,
    PAW_CURLOPT_PROTOCOLS = 181,
    PAW_CURLOPT_PATH_AS_IS = 234,
    PAW_CURLOPT_QUICK_EXIT = 322,
    PAW_CURLOPT_FRESH_CONNECT = 74,
    PAW_CURLOPT_PREREQFUNCTION = 20312,
    PAW_CURLOPT_PREREQDATA = 10313,
    PAW_CURLOPT_VERBOSE = 41,
    PAW_CURLOPT_HTTPGET = 80,
    PAW_CURLOPT_HTTP_VERSION = 84,
    PAW_CURLOPT_DEBUGFUNCTION = 20094,
    PAW_CURLOPT_DEBUGDATA = 10095,
    PAW_CURLOPT_PIPEWAIT = 237,
    PAW_CURLOPT_UNIX_SOCKET_PATH = 10231,
    PAW_CURLOPT_PROXYUSERNAME = 10175,
    PAW_CURLOPT_PROXYPASSWORD = 10176,
    PAW_CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    PAW_CURLOPT_SSLVERSION = 32,
    PAW_CURLOPT_PROXY_SSLVERSION = 250,
    PAW_CURLOPT_SSLCERT = 10025,
    PAW_CURLOPT_KEYPASSWD = 10026,
    PAW_CURLOPT_SSLKEY = 10087,
    PAW_CURLOPT_CAINFO = 10065,
    PAW_CURLOPT_CAPATH = 10097,
    PAW_CURLOPT_PROXY_CAINFO = 10246,
    PAW_CURLOPT_PROXY_CAPATH = 10247,
    PAW_CURLOPT_PINNEDPUBLICKEY = 10230,
    PAW_CURLOPT_SSLCERT_BLOB = 40291,
    PAW_CURLOPT_SSLKEY_BLOB = 40292,
    PAW_CURLOPT_CAINFO_BLOB = 40309,
    PAW_CURLOPT_PROXY_CAINFO_BLOB = 40310
};

enum { PAW_CURL_HTTP_VERSION_1_1 = 2, PAW_CURL_HTTP_VERSION_2TLS = 4, PAW_CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE = 5 };

enum { PAW_CURL_SSLVERSION_TLS_1_2 = 6, PAW_CURL_SSLVERSION_TLS_1_3 = 7 };

/* Bytes that libcurl reads in place for as long as the handle lives. */
struct paw_curl_blob {
    void *data;
    size_t length;
    unsigned int flags; /* 0: not copied */
};

enum { PAW_CURLPROTO_HTTP = 1, PAW_CURLPROTO_HTTPS = 2 };

enum paw_curl_multi_option {
    PAW_CURLMOPT_MAXCONNECTS = 6
};

enum paw_curl_info {
    PAW_CURLINFO_SSL_VERIFYRESULT = 0x200000 + 13,
    PAW_CURLINFO_HTTP_CONNECTCODE = 0x200000 + 22,
    PAW_CURLINFO_NUM_CONNECTS = 0x200000 + 26,
    PAW_CURLINFO_HTTP_VERSION = 0x200000 + 46,
    PAW_CURLINFO_PROXY_SSL_VERIFYRESULT = 0x200000 + 47,
    PAW_CURLINFO_PROXY_ERROR = 0x200000 + 59,
    PAW_CURLINFO_USED_PROXY = 0x200000 + 66,
    PAW_CURLINFO_SIZE_UPLOAD_T = 0x600000 + 7,
    PAW_CURLINFO_SIZE_DOWNLOAD_T = 0x600000 + 8,
    PAW_CURLINFO_CONTENT_LENGTH_DOWNLOAD_T = 0x600000 + 15,
    PAW_CURLINFO_TOTAL_TIME_T = 0x600000 + 50,
    PAW_CURLINFO_NAMELOOKUP_TIME_T = 0x600000 + 51,
    PAW_CURLINFO_CONNECT_TIME_T = 0x600000 + 52,
    PAW_CURLINFO_STARTTRANSFER_TIME_T = 0x600000 + 54,
    PAW_CURLINFO_APPCONNECT_TIME_T = 0x600000 + 56,
    PAW_CURLINFO_ACTIVESOCKET = 0x500000 + 44
};

enum paw_curl_code {
    PAW_CURLE_OK = 0,
    PAW_CURLE_UNSUPPORTED_PROTOCOL = 1,
    PAW_CURLE_URL_MALFORMAT = 3,
    PAW_CURLE_COULDNT_RESOLVE_PROXY = 5,
    PAW_CURLE_COULDNT_RESOLVE_HOST = 6,
    PAW_CURLE_COULDNT_CONNECT = 7,
    PAW_CURLE_WEIRD_SERVER_REPLY = 8,
    PAW_CURLE_HTTP2 = 16,
    PAW_CURLE_PARTIAL_FILE = 18,
    PAW_CURLE_READ_ERROR = 26,
    PAW_CURLE_OUT_OF_MEMORY = 27,
    PAW_CURLE_OPERATION_TIMEDOUT = 28,
    PAW_CURLE_SSL_CONNECT_ERROR = 35,
    PAW_CURLE_BAD_FUNCTION_ARGUMENT = 43,
    PAW_CURLE_GOT_NOTHING = 52,
    PAW_CURLE_SSL_ENGINE_NOTFOUND = 53,
    PAW_CURLE_SEND_ERROR = 55,
    PAW_CURLE_RECV_ERROR = 56,
    PAW_CURLE_SSL_CERTPROBLEM = 58,
    PAW_CURLE_SSL_CIPHER = 59,
    PAW_CURLE_PEER_FAILED_VERIFICATION = 60,
    PAW_CURLE_BAD_CONTENT_ENCODING = 61,
    PAW_CURLE_SEND_FAIL_REWIND = 65,
    PAW_CURLE_SSL_CACERT_BADFILE = 77,
    PAW_CURLE_SSL_ISSUER_ERROR = 83,
    PAW_CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    PAW_CURLE_HTTP2_STREAM = 92,
    PAW_CURLE_PROXY = 97,
    PAW_CURLE_SSL_CLIENTCERT = 98,
    PAW_CURLE_TOO_LARGE = 100
};

/* Replies of a SOCKS proxy (CURLPX_REPLY_...) that CURLINFO_PROXY_ERROR reports from libcurl 7.73. */
enum paw_proxy_error {
    PAW_PROXY_CONNECTION_REFUSED = 19,
    PAW_PROXY_GENERAL_SERVER_FAILURE = 20,
    PAW_PROXY_HOST_UNREACHABLE = 21,
    PAW_PROXY_NETWORK_UNREACHABLE = 22,
    PAW_PROXY_TTL_EXPIRED = 24
};

/* OpenSSL's reasons (X509_V_ERR_...) that CURLINFO_SSL_VERIFYRESULT reports; other TLS backends report 0. */
enum paw_x509_error {
    PAW_X509_UNABLE_TO_GET_ISSUER = 2,
    PAW_X509_NOT_YET_VALID = 9,
    PAW_X509_EXPIRED = 10,
    PAW_X509_SELF_SIGNED = 18,
    PAW_X509_SELF_SIGNED_IN_CHAIN = 19,
    PAW_X509_UNABLE_TO_GET_ISSUER_LOCALLY = 20,
    PAW_X509_UNABLE_TO_VERIFY_LEAF = 21,
    PAW_X509_REVOKED = 23,
    PAW_X509_UNTRUSTED = 27,
    PAW_X509_HOSTNAME_MISMATCH = 62,
    PAW_X509_ADDRESS_MISMATCH = 64
};

#define PAW_CURL_ERROR_SIZE 256

/*
 * libcurl: functions
 *
 * The library is loaded by the first request instead of at the start of the program: it depends on about thirty other
 * libraries, which take most of the time in which a small program starts.
 */

struct paw_curl_functions {
    int (*global_init)(long flags);
    struct paw_curl_version *(*version_info)(int age);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *easy);
    int (*easy_setopt)(CURL *easy, int option, ...);
    int (*easy_getinfo)(CURL *easy, int info, ...);
    int (*easy_pause)(CURL *easy, int mask);
    const char *(*easy_strerror)(int code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
    CURLM *(*multi_init)(void);
    int (*multi_cleanup)(CURLM *multi);
    int (*multi_add_handle)(CURLM *multi, CURL *easy);
    int (*multi_remove_handle)(CURLM *multi, CURL *easy);
    int (*multi_socket_action)(CURLM *multi, int socket, int actions, int *running);
    int (*multi_timeout)(CURLM *multi, long *milliseconds);
    int (*multi_setopt)(CURLM *multi, int option, ...);
    struct paw_curl_message *(*multi_info_read)(CURLM *multi, int *left);
};

/* The functions of the loaded library; NULL before. */
extern struct paw_curl_functions paw_curl;

/*
 * Loads a library with these functions, which is never unloaded.
 *
 * Returns NULL, or the reason why it cannot be used: a text that is valid until the thread's next call of dlopen or dlsym.
 * Not safe to call on several threads at once; every other function here requires that it has succeeded before.
 */
const char *paw_curl_load(const char *library);

static inline int curl_global_init(long flags) { return paw_curl.global_init(flags); }
static inline struct paw_curl_version *curl_version_info(int age) { return paw_curl.version_info(age); }
static inline CURL *curl_easy_init(void) { return paw_curl.easy_init(); }
static inline void curl_easy_cleanup(CURL *easy) { paw_curl.easy_cleanup(easy); }
static inline int curl_easy_pause(CURL *easy, int mask) { return paw_curl.easy_pause(easy, mask); }
static inline const char *curl_easy_strerror(int code) { return paw_curl.easy_strerror(code); }
static inline struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
    return paw_curl.slist_append(list, text);
}
static inline void curl_slist_free_all(struct curl_slist *list) { paw_curl.slist_free_all(list); }
static inline CURLM *curl_multi_init(void) { return paw_curl.multi_init(); }
static inline int curl_multi_cleanup(CURLM *multi) { return paw_curl.multi_cleanup(multi); }
static inline int curl_multi_add_handle(CURLM *multi, CURL *easy) { return paw_curl.multi_add_handle(multi, easy); }
static inline int curl_multi_remove_handle(CURLM *multi, CURL *easy) { return paw_curl.multi_remove_handle(multi, easy); }
static inline int curl_multi_socket_action(CURLM *multi, int socket, int actions, int *running) {
    return paw_curl.multi_socket_action(multi, socket, actions, running);
}
static inline int curl_multi_timeout(CURLM *multi, long *milliseconds) {
    return paw_curl.multi_timeout(multi, milliseconds);
}

/* Swift cannot call variadic functions: there is a wrapper for each type of value. */

static inline int paw_curl_set_long(CURL *easy, enum paw_curl_option option, long value) {
    return paw_curl.easy_setopt(easy, (int)option, value);
}
static inline int paw_curl_set_offset(CURL *easy, enum paw_curl_option option, int64_t value) {
    return paw_curl.easy_setopt(easy, (int)option, value);
}
static inline int paw_curl_set_pointer(CURL *easy, enum paw_curl_option option, const void *value) {
    return paw_curl.easy_setopt(easy, (int)option, value);
}
static inline int paw_curl_set_string(CURL *easy, enum paw_curl_option option, const char *value) {
    return paw_curl.easy_setopt(easy, (int)option, value);
}
static inline int paw_curl_set_data_callback(CURL *easy, enum paw_curl_option option, paw_curl_data_callback value) {
    return paw_curl.easy_setopt(easy, (int)option, value);
}
static inline int paw_curl_set_seek_callback(CURL *easy, paw_curl_seek_callback value) {
    return paw_curl.easy_setopt(easy, PAW_CURLOPT_SEEKFUNCTION, value);
}
static inline int paw_curl_set_prerequest_callback(CURL *easy, paw_curl_prerequest_callback value) {
    return paw_curl.easy_setopt(easy, PAW_CURLOPT_PREREQFUNCTION, value);
}
static inline int paw_curl_set_blob(CURL *easy, enum paw_curl_option option, void *data, size_t length) {
    struct paw_curl_blob blob = {data, length, 0};
    return paw_curl.easy_setopt(easy, (int)option, &blob);
}
static inline int paw_curl_set_debug_callback(CURL *easy, paw_curl_debug_callback value) {
    return paw_curl.easy_setopt(easy, PAW_CURLOPT_DEBUGFUNCTION, value);
}
static inline int paw_curl_get_long(CURL *easy, enum paw_curl_info info, long *value) {
    return paw_curl.easy_getinfo(easy, (int)info, value);
}
static inline int paw_curl_get_offset(CURL *easy, enum paw_curl_info info, int64_t *value) {
    return paw_curl.easy_getinfo(easy, (int)info, value);
}
static inline int paw_curl_get_socket(CURL *easy, enum paw_curl_info info, int *value) {
    return paw_curl.easy_getinfo(easy, (int)info, value);
}
/* Has a function called when a socket is to be watched for other actions: 1 reading, 2 writing, 3 both, 4 neither. */
static inline int paw_curl_multi_set_socket_callback(CURLM *multi, paw_curl_socket_callback value, void *context) {
    int result = paw_curl.multi_setopt(multi, 20001, value);
    return result != 0 ? result : paw_curl.multi_setopt(multi, 10002, context);
}
static inline int paw_curl_multi_set_long(CURLM *multi, enum paw_curl_multi_option option, long value) {
    return paw_curl.multi_setopt(multi, (int)option, value);
}

/* Returns the next finished transfer and its result, or NULL. */
static inline CURL *paw_curl_next_finished(CURLM *multi, int *result) {
    int left = 0;
    struct paw_curl_message *message;
    while ((message = paw_curl.multi_info_read(multi, &left)) != NULL) {
        if (message->kind == 1) {
            *result = message->data.result;
            return message->easy;
        }
    }
    return NULL;
}

/* brotli and zstd, if libcurl depends on them; NULL otherwise. Their libraries are loaded with libcurl. */

struct paw_zstd_buffer {
    void *bytes; /* const for input */
    size_t size;
    size_t offset;
};

struct paw_decoders {
    void *(*brotli_create)(void *allocate, void *release, void *context);
    int (*brotli_decompress)(
        void *state, size_t *input_size, const uint8_t **input, size_t *output_size, uint8_t **output, size_t *total);
    void (*brotli_destroy)(void *state);
    void *(*zstd_create)(void);
    size_t (*zstd_set)(void *state, int parameter, int value);
    size_t (*zstd_decompress)(void *state, struct paw_zstd_buffer *output, struct paw_zstd_buffer *input);
    unsigned int (*zstd_is_error)(size_t code);
    const char *(*zstd_error_name)(size_t code);
    size_t (*zstd_destroy)(void *state);
};

extern struct paw_decoders paw_decoders;

/* NULL without the library. */
static inline void *paw_brotli_create(void) {
    return paw_decoders.brotli_create == NULL ? NULL : paw_decoders.brotli_create(NULL, NULL, NULL);
}
static inline int paw_brotli_decompress(
    void *state, size_t *input_size, const uint8_t **input, size_t *output_size, uint8_t **output) {
    return paw_decoders.brotli_decompress(state, input_size, input, output_size, output, NULL);
}
static inline void paw_brotli_destroy(void *state) { paw_decoders.brotli_destroy(state); }

/* NULL without the library. 100 is the parameter of the largest window, as a power of two. */
static inline void *paw_zstd_create(int window_log) {
    void *state = paw_decoders.zstd_create == NULL ? NULL : paw_decoders.zstd_create();
    if (state != NULL) paw_decoders.zstd_set(state, 100, window_log);
    return state;
}
static inline size_t paw_zstd_decompress(void *state, struct paw_zstd_buffer *output, struct paw_zstd_buffer *input) {
    return paw_decoders.zstd_decompress(state, output, input);
}
/* The description of an error; NULL for any other result. */
static inline const char *paw_zstd_error(size_t result) {
    return paw_decoders.zstd_is_error(result) ? paw_decoders.zstd_error_name(result) : NULL;
}
static inline void paw_zstd_destroy(void *state) { paw_decoders.zstd_destroy(state); }
static inline int paw_has_brotli(void) { return paw_decoders.brotli_create != NULL; }
static inline int paw_has_zstd(void) { return paw_decoders.zstd_create != NULL; }

enum { PAW_BROTLI_DONE = 1, PAW_BROTLI_NEEDS_INPUT = 2, PAW_BROTLI_NEEDS_OUTPUT = 3 };

/* zlib: libcurl's own decompression does not detect a truncated stream. */

struct paw_zlib_stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

enum { PAW_Z_OK = 0, PAW_Z_STREAM_END = 1, PAW_Z_BUF_ERROR = -5 };

int inflateInit2_(struct paw_zlib_stream *stream, int window_bits, const char *version, int size);
int inflate(struct paw_zlib_stream *stream, int flush);
int inflateReset2(struct paw_zlib_stream *stream, int window_bits);
int inflateEnd(struct paw_zlib_stream *stream);

/* Begins decompression; window bits of 15 + 32 accept gzip and zlib, -15 accepts raw deflate. */
static inline int paw_inflate_begin(struct paw_zlib_stream *stream, int window_bits) {
    return inflateInit2_(stream, window_bits, "1.2.0", (int)sizeof(struct paw_zlib_stream));
}
