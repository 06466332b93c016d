// JPEG and PNG to RGBA and back, over libjpeg-turbo and libpng.
//
// Both libraries report errors by longjmp, which must not cross Swift frames: every jump starts and ends here.
// Memory handed out (pixels, bytes) is freed with picture_codec_free. All functions are reentrant.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a codec call ended.
typedef enum {
    /// Pixels were produced; they may be partial, see the flags.
    PICTURE_CODEC_OK = 0,
    /// The bytes end before one row of pixels is known.
    PICTURE_CODEC_TRUNCATED = 1,
    /// The bytes break the format's rules before one row of pixels is known.
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
} picture_codec_status;

/// What may be spent on a picture, and how small it may be made while it is decoded.
typedef struct {
    /// The most pixels a header may announce.
    uint64_t maximum_pixels;
    /// The most bytes of working memory, pixels included.
    uint64_t maximum_memory;
    /// The most scans of a progressive JPEG.
    uint32_t maximum_scans;
    /// The result may be reduced down to this size, and not below it; 0 keeps the full size.
    uint32_t wanted_width, wanted_height;
    /// 256 entries: the linear light, 0...65535, of each sRGB value.
    const uint16_t *linear_light;
} picture_codec_request;

/// A decoded picture, or why there is none.
typedef struct {
    picture_codec_status status;
    /// The size of `pixels`.
    uint32_t width, height;
    /// The size the header announces; set also where the picture is refused.
    uint32_t original_width, original_height;
    /// RGBA, 8 bits, not premultiplied, rows from the top; NULL unless the status is OK.
    uint8_t *pixels;
    /// The working memory that was refused, in bytes.
    uint64_t needed_memory;
    /// The bytes ended early: rows from `known_rows` on are transparent.
    bool is_truncated;
    /// The format's rules were broken somewhere after the header.
    bool is_damaged;
    /// The rows of `pixels` that hold something.
    uint32_t known_rows;
    /// The library's own words for the first thing wrong; empty if nothing is.
    char message[200];
} picture_codec_result;

/// Which JPEG to write.
typedef enum {
    PICTURE_CODEC_JPEG_COLOUR = 0,
    PICTURE_CODEC_JPEG_GREY = 1,
    /// Inverted CMYK with Adobe's marker, as photo programs write it.
    PICTURE_CODEC_JPEG_CMYK = 2,
} picture_codec_jpeg_kind;

/// Decodes a JPEG, reduced by the DCT to 1/2, 1/4 or 1/8 where the request allows it.
picture_codec_result picture_codec_decode_jpeg(
    const uint8_t *bytes, size_t count, picture_codec_request request);

/// Decodes a PNG row by row, reduced by a box filter in linear light where the request allows it.
picture_codec_result picture_codec_decode_png(
    const uint8_t *bytes, size_t count, picture_codec_request request);

/// Encodes RGBA rows as a JPEG; alpha is ignored. NULL if the library refuses, with `message` telling why.
uint8_t *picture_codec_encode_jpeg(
    const uint8_t *rgba, uint32_t width, uint32_t height, int quality, picture_codec_jpeg_kind kind,
    bool is_progressive, size_t *count, char message[200]);

/// Encodes RGBA rows as a PNG, without alpha where all of it is 255. NULL if the library refuses.
uint8_t *picture_codec_encode_png(
    const uint8_t *rgba, uint32_t width, uint32_t height, size_t *count, char message[200]);

/// Frees what this library handed out; NULL is allowed.
void picture_codec_free(void *memory);

#ifdef __cplusplus
}
#endif
