#include "CChecksums.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#define ADD_WORD(value, word) ((uint32_t)_mm_crc32_u64(value, word))
#define ADD_BYTE(value, byte) _mm_crc32_u8(value, byte)
#define INSTRUCTIONS __attribute__((target("sse4.2")))

bool cchecksum_has_crc32c(void) {
    unsigned int a, b, c = 0, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define ADD_WORD(value, word) __crc32cd(value, word)
#define ADD_BYTE(value, byte) __crc32cb(value, byte)
#define INSTRUCTIONS

bool cchecksum_has_crc32c(void) { return true; }
#else
#define ADD_WORD(value, word) (value)
#define ADD_BYTE(value, byte) (value)
#define INSTRUCTIONS

bool cchecksum_has_crc32c(void) { return false; }
#endif

INSTRUCTIONS uint32_t cchecksum_crc32c(uint32_t value, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        value = ADD_WORD(value, word);
    }
    for (; count > 0; count--, next++) value = ADD_BYTE(value, *next);
    return value;
}
