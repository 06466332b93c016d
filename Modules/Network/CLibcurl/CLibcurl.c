#include "CLibcurl.h"

#include <dlfcn.h>

struct paw_curl_functions paw_curl;
struct paw_decoders paw_decoders;

struct symbol {
    const char *name;
    void *function;
};

/* Finds all functions of a library that is loaded already, or none. */
static int find_loaded(const char *library, const struct symbol *symbols, size_t count) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle == NULL) return 0;
    for (size_t index = 0; index < count; index++) {
        void *function = dlsym(handle, symbols[index].name);
        if (function == NULL) return 0;
        *(void **)symbols[index].function = function;
    }
    return 1;
}

static void find_decoders(void) {
    struct paw_decoders found = {0};
    const struct symbol brotli[] = {
        {"BrotliDecoderCreateInstance", &found.brotli_create},
        {"BrotliDecoderDecompressStream", &found.brotli_decompress},
        {"BrotliDecoderDestroyInstance", &found.brotli_destroy},
    };
    const struct symbol zstd[] = {
        {"ZSTD_createDStream", &found.zstd_create},
        {"ZSTD_DCtx_setParameter", &found.zstd_set},
        {"ZSTD_decompressStream", &found.zstd_decompress},
        {"ZSTD_isError", &found.zstd_is_error},
        {"ZSTD_getErrorName", &found.zstd_error_name},
        {"ZSTD_freeDStream", &found.zstd_destroy},
    };
    if (!find_loaded("libbrotlidec.so.1", brotli, sizeof(brotli) / sizeof(brotli[0]))) found.brotli_create = NULL;
    if (!find_loaded("libzstd.so.1", zstd, sizeof(zstd) / sizeof(zstd[0]))) found.zstd_create = NULL;
    paw_decoders = found;
}

const char *paw_curl_load(const char *library) {
    struct paw_curl_functions functions;
    const struct symbol symbols[] = {
        {"curl_global_init", &functions.global_init},
        {"curl_version_info", &functions.version_info},
        {"curl_easy_init", &functions.easy_init},
        {"curl_easy_cleanup", &functions.easy_cleanup},
        {"curl_easy_setopt", &functions.easy_setopt},
        {"curl_easy_getinfo", &functions.easy_getinfo},
        {"curl_easy_pause", &functions.easy_pause},
        {"curl_easy_strerror", &functions.easy_strerror},
        {"curl_slist_append", &functions.slist_append},
        {"curl_slist_free_all", &functions.slist_free_all},
        {"curl_multi_init", &functions.multi_init},
        {"curl_multi_cleanup", &functions.multi_cleanup},
        {"curl_multi_add_handle", &functions.multi_add_handle},
        {"curl_multi_remove_handle", &functions.multi_remove_handle},
        {"curl_multi_socket_action", &functions.multi_socket_action},
        {"curl_multi_timeout", &functions.multi_timeout},
        {"curl_multi_setopt", &functions.multi_setopt},
        {"curl_multi_info_read", &functions.multi_info_read},
    };
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) return dlerror();
    for (size_t index = 0; index < sizeof(symbols) / sizeof(symbols[0]); index++) {
        void *function = dlsym(handle, symbols[index].name);
        /* The handle stays open, since closing it would release the text. */
        if (function == NULL) return dlerror();
        *(void **)symbols[index].function = function;
    }
    /*
     * OpenSSL would free its locks and tables at exit, while other threads may still be connecting: a process that ends in
     * the middle of a request would crash. Its option NO_ATEXIT (0x80000), given before libcurl initialises it, prevents
     * that. A libcurl without OpenSSL has no such function.
     */
    int (*init_openssl)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(handle, "OPENSSL_init_crypto");
    if (init_openssl != NULL) init_openssl(0x80000, NULL);
    find_decoders();
    paw_curl = functions;
    return NULL;
}
