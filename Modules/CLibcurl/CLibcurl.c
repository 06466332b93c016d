#include "CLibcurl.h"

#include <dlfcn.h>

struct paw_curl_functions paw_curl;

const char *paw_curl_load(const char *library) {
    struct paw_curl_functions functions;
    const struct {
        const char *name;
        void *function;
    } symbols[] = {
        {"curl_global_init", &functions.global_init},
        {"curl_version_info", &functions.version_info},
        {"curl_easy_init", &functions.easy_init},
        {"curl_easy_cleanup", &functions.easy_cleanup},
        {"curl_easy_reset", &functions.easy_reset},
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
        {"curl_multi_perform", &functions.multi_perform},
        {"curl_multi_poll", &functions.multi_poll},
        {"curl_multi_wakeup", &functions.multi_wakeup},
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
    paw_curl = functions;
    return NULL;
}
