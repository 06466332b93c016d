#include "CPictureCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct {
    png_structp codec;
    png_infop info;
    jmp_buf escape;
    uint8_t *bytes;
    size_t count, capacity;
    uint8_t *row;
    char *message;
} encoder;

static void escape_on_error(png_structp codec, png_const_charp message) {
    encoder *self = png_get_error_ptr(codec);
    snprintf(self->message, 200, "%.199s", message);
    longjmp(self->escape, 1);
}

static void ignore_warning(png_structp codec, png_const_charp message) {
    (void)codec;
    (void)message;
}

static void write_bytes(png_structp codec, png_bytep bytes, size_t count) {
    encoder *self = png_get_io_ptr(codec);
    if (count > self->capacity - self->count) {
        size_t capacity = self->capacity * 2 + count + 4096;
        uint8_t *grown = realloc(self->bytes, capacity);
        if (!grown) png_error(codec, "out of memory");
        self->bytes = grown;
        self->capacity = capacity;
    }
    memcpy(self->bytes + self->count, bytes, count);
    self->count += count;
}

static void flush_nothing(png_structp codec) { (void)codec; }

static bool is_opaque(const uint8_t *rgba, size_t pixels) {
    for (size_t index = 0; index < pixels; index++) {
        if (rgba[index * 4 + 3] != 255) return false;
    }
    return true;
}

static bool run(encoder *self, const uint8_t *rgba, uint32_t width, uint32_t height) {
    if (setjmp(self->escape)) return false;
    self->codec = png_create_write_struct(PNG_LIBPNG_VER_STRING, self, escape_on_error, ignore_warning);
    self->info = self->codec ? png_create_info_struct(self->codec) : NULL;
    if (!self->info) return false;
    png_set_write_fn(self->codec, self, write_bytes, flush_nothing);
    png_set_user_limits(self->codec, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    bool has_alpha = !is_opaque(rgba, (size_t)width * height);
    png_set_IHDR(
        self->codec, self->info, width, height, 8, has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(self->codec, self->info);
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *source = rgba + (size_t)y * width * 4;
        uint8_t *target = self->row;
        for (uint32_t x = 0; x < width; x++, source += 4) {
            memcpy(target, source, has_alpha ? 4 : 3);
            target += has_alpha ? 4 : 3;
        }
        png_write_row(self->codec, self->row);
    }
    png_write_end(self->codec, NULL);
    return true;
}

uint8_t *picture_codec_encode_png(
    const uint8_t *rgba, uint32_t width, uint32_t height, size_t *count, char message[200]) {
    encoder self;
    memset(&self, 0, sizeof self);
    self.message = message;
    message[0] = '\0';
    self.row = malloc((size_t)width * 4);
    bool is_whole = self.row && run(&self, rgba, width, height);
    png_destroy_write_struct(&self.codec, &self.info);
    free(self.row);
    if (!is_whole) {
        free(self.bytes);
        return NULL;
    }
    *count = self.count;
    return self.bytes;
}

void picture_codec_free(void *memory) { free(memory); }
