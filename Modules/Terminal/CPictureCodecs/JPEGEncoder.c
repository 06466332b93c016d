#include "CPictureCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct {
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    unsigned char *bytes;
    unsigned long count;
    uint8_t *row;
    char *message;
} encoder;

static void escape_on_error(j_common_ptr codec) {
    encoder *self = codec->client_data;
    char text[JMSG_LENGTH_MAX];
    codec->err->format_message(codec, text);
    snprintf(self->message, 200, "%.199s", text);
    longjmp(self->escape, 1);
}

static void ignore_warning(j_common_ptr codec, int level) {
    (void)codec;
    (void)level;
}

static void fill_row(encoder *self, const uint8_t *rgba, uint32_t width, picture_codec_jpeg_kind kind) {
    uint8_t *target = self->row;
    for (uint32_t x = 0; x < width; x++, rgba += 4) {
        if (kind == PICTURE_CODEC_JPEG_GREY) {
            *target++ = (uint8_t)((rgba[0] * 299u + rgba[1] * 587u + rgba[2] * 114u + 500u) / 1000u);
        } else {
            // With an inverted key of 255, inverted inks equal the light.
            memcpy(target, rgba, 3);
            if (kind == PICTURE_CODEC_JPEG_CMYK) target[3] = 255;
            target += kind == PICTURE_CODEC_JPEG_CMYK ? 4 : 3;
        }
    }
}

static bool run(
    encoder *self, const uint8_t *rgba, uint32_t width, uint32_t height, int quality, picture_codec_jpeg_kind kind,
    bool is_progressive) {
    if (setjmp(self->escape)) return false;
    struct jpeg_compress_struct *codec = &self->codec;
    jpeg_create_compress(codec);
    codec->client_data = self;
    jpeg_mem_dest(codec, &self->bytes, &self->count);
    codec->image_width = width;
    codec->image_height = height;
    codec->input_components = kind == PICTURE_CODEC_JPEG_GREY ? 1 : kind == PICTURE_CODEC_JPEG_CMYK ? 4 : 3;
    codec->in_color_space = kind == PICTURE_CODEC_JPEG_GREY ? JCS_GRAYSCALE
        : kind == PICTURE_CODEC_JPEG_CMYK                   ? JCS_CMYK
                                                            : JCS_RGB;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, quality, TRUE);
    codec->optimize_coding = TRUE;
    if (is_progressive) jpeg_simple_progression(codec);
    jpeg_start_compress(codec, TRUE);
    while (codec->next_scanline < height) {
        fill_row(self, rgba + (size_t)codec->next_scanline * width * 4, width, kind);
        JSAMPROW row = self->row;
        jpeg_write_scanlines(codec, &row, 1);
    }
    jpeg_finish_compress(codec);
    return true;
}

uint8_t *picture_codec_encode_jpeg(
    const uint8_t *rgba, uint32_t width, uint32_t height, int quality, picture_codec_jpeg_kind kind,
    bool is_progressive, size_t *count, char message[200]) {
    encoder self;
    memset(&self, 0, sizeof self);
    self.message = message;
    message[0] = '\0';
    self.codec.err = jpeg_std_error(&self.errors);
    self.codec.client_data = &self;
    self.errors.error_exit = escape_on_error;
    self.errors.emit_message = ignore_warning;
    self.row = malloc((size_t)width * 4);
    bool is_whole = self.row && run(&self, rgba, width, height, quality, kind, is_progressive);
    jpeg_destroy_compress(&self.codec);
    free(self.row);
    if (!is_whole) {
        free(self.bytes);
        return NULL;
    }
    *count = self.count;
    return self.bytes;
}
