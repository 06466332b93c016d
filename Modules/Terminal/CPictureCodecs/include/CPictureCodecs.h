// JPEG and PNG to RGBA and back, over libjpeg-turbo and libpng.
//
// Both libraries report errors by longjmp, which must not cross Swift frames: every jump starts and ends here.
// Returned memory (pixels, bytes) is freed with picture_codec_free. All functions are reentrant.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The status of a codec call.
typedef enum {
    /// Pixels were produced; they may be partial, see the flags.
    PICTURE_CODEC_OK = 0,
    /// The data ends before the first row of pixels.
    PICTURE_CODEC_TRUNCATED = 1,
    /// The data violates the format before the first row of pixels.
    PICTURE_CODEC_DAMAGED = 2,
    /// A valid picture of a kind that is not decoded (arithmetic coding, 12 bits, ...).
    PICTURE_CODEC_UNSUPPORTED = 3,
    /// The header announces more pixels than allowed.
    PICTURE_CODEC_TOO_MANY_PIXELS = 4,
    /// Decoding would take more memory than allowed.
    PICTURE_CODEC_TOO_MUCH_MEMORY = 5,
    /// The header announces a width or a height of zero.
    PICTURE_CODEC_NO_PIXELS = 6,
    /// More scans than allowed before one complete picture.
    PICTURE_CODEC_TOO_MANY_SCANS = 7,
    /// The system has no memory left.
    PICTURE_CODEC_OUT_OF_MEMORY = 8,
    /// Decoding took longer than the time limit.
    PICTURE_CODEC_TOO_SLOW = 9,
} picture_codec_status;

/// The limits for decoding, and the size to which the picture may be reduced.
typedef struct {
    /// The maximum number of pixels that a header may announce.
    uint64_t maximum_pixels;
    /// The maximum working memory in bytes, including the pixels.
    uint64_t maximum_memory;
    /// The maximum number of scans of a progressive JPEG.
    uint32_t maximum_scans;
    /// The minimum size of a reduced result; 0 for the full size.
    uint32_t wanted_width, wanted_height;
    /// The time limit in nanoseconds; 0 for none. The decoders replace it by the monotonic time at which they end.
    uint64_t deadline;
    /// 256 entries: the linear light, 0...65535, of each sRGB value.
    const uint16_t *linear_light;
} picture_codec_request;

/// A decoded picture or an error.
typedef struct {
    picture_codec_status status;
    /// The size of `pixels`.
    uint32_t width, height;
    /// The size in the header; also set if the picture is refused.
    uint32_t original_width, original_height;
    /// RGBA, 8 bits, not premultiplied, rows from the top; NULL unless the status is OK.
    uint8_t *pixels;
    /// The working memory that was refused, in bytes.
    uint64_t needed_memory;
    /// The data ends before all pixels: rows from `known_rows` on are transparent.
    bool is_truncated;
    /// The data violates the format after the header.
    bool is_damaged;
    /// The number of rows of `pixels` that were decoded.
    uint32_t known_rows;
    /// The message for the first error, usually the library's; empty if there was none.
    char message[200];
} picture_codec_result;

/// The colour model of a JPEG.
typedef enum {
    PICTURE_CODEC_JPEG_COLOUR = 0,
    PICTURE_CODEC_JPEG_GREY = 1,
    /// Inverted CMYK with Adobe's marker, as image editors write it.
    PICTURE_CODEC_JPEG_CMYK = 2,
} picture_codec_jpeg_kind;

/// Decodes a JPEG, reduced by the DCT to 1/2, 1/4 or 1/8 where the request allows it.
picture_codec_result picture_codec_decode_jpeg(
    const uint8_t *bytes, size_t count, picture_codec_request request);

/// Decodes a PNG row by row, reduced by a box filter in linear light where the request allows it.
picture_codec_result picture_codec_decode_png(
    const uint8_t *bytes, size_t count, picture_codec_request request);

/// Encodes RGBA rows as a JPEG; alpha is ignored. Returns NULL on an error, described by `message`.
uint8_t *picture_codec_encode_jpeg(
    const uint8_t *rgba, uint32_t width, uint32_t height, int quality, picture_codec_jpeg_kind kind,
    bool is_progressive, size_t *count, char message[200]);

/// Encodes RGBA rows as a PNG, without alpha if it is 255 everywhere. Returns NULL on an error.
uint8_t *picture_codec_encode_png(
    const uint8_t *rgba, uint32_t width, uint32_t height, size_t *count, char message[200]);

/// Frees memory returned by this library; NULL is allowed.
void picture_codec_free(void *memory);

#ifdef __cplusplus
}
#endif
