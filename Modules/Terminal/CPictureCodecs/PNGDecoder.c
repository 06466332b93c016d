#define _GNU_SOURCE
#include "CPictureCodecs.h"
#include "Deadline.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// The sums of one block of the box filter: light weighted by alpha, alpha, and the pixels seen so far.
typedef struct {
    uint64_t red, green, blue, alpha;
    uint64_t count;
} block_sum;

typedef struct {
    png_structp codec;
    png_infop info;
    jmp_buf escape;
    picture_codec_request request;
    picture_codec_result result;
    const uint8_t *next;
    size_t left;
    uint8_t *row;
    // One row of blocks, or all rows for an interlaced picture, each pass of which contributes to every block.
    block_sum *sums;
    uint32_t factor;
    uint32_t rows_read;
    uint8_t light_index[1024];
    bool is_interlaced;
    bool is_opaque;
    bool is_exhausted;
    bool has_all_rows;
    bool is_out_of_memory;
    bool is_too_slow;
} decoder;

static void keep_message(decoder *self, const char *message) {
    if (self->result.message[0] == '\0') {
        snprintf(self->result.message, sizeof self->result.message, "%.199s", message);
    }
}

static void escape_on_error(png_structp codec, png_const_charp message) {
    decoder *self = png_get_error_ptr(codec);
    keep_message(self, message);
    longjmp(self->escape, 1);
}

// Whether a message, which begins with the name of its chunk, may be about the pixels. The names of the other chunks that a
// decoder may ignore begin with a small letter.
static bool concerns_pixels(const char *message) {
    if (message[0] < 'a' || message[0] > 'z' || strlen(message) < 5 || message[4] != ':') return true;
    static const char *const names[] = {"tRNS", "gAMA", "cHRM", "sRGB"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        if (strncmp(message, names[index], 4) == 0) return true;
    }
    return false;
}

static void note_warning(png_structp codec, png_const_charp message) {
    decoder *self = png_get_error_ptr(codec);
    if (!concerns_pixels(message)) return;
    keep_message(self, message);
    self->result.is_damaged = true;
}

static void read_bytes(png_structp codec, png_bytep target, size_t count) {
    decoder *self = png_get_io_ptr(codec);
    if (count > self->left) {
        self->is_exhausted = true;
        self->left = 0;
        png_error(codec, "the bytes end too early");
    }
    memcpy(target, self->next, count);
    self->next += count;
    self->left -= count;
}

static void choose_factor(decoder *self) {
    picture_codec_request *request = &self->request;
    self->factor = 1;
    if (request->wanted_width == 0 || request->wanted_height == 0 || !request->linear_light) return;
    uint32_t across = self->result.original_width / request->wanted_width;
    uint32_t down = self->result.original_height / request->wanted_height;
    uint32_t factor = across < down ? across : down;
    // The sums of all blocks would take more memory than the pixels that they replace.
    bool is_costly = self->is_interlaced && (uint64_t)factor * factor * 4 < sizeof(block_sum) + 4;
    if (factor > 1 && !is_costly) self->factor = factor;
}

static uint64_t rows_of_sums(decoder *self) {
    if (self->factor == 1) return 0;
    return self->is_interlaced ? self->result.height : 1;
}

static picture_codec_status refuse(decoder *self) {
    picture_codec_result *result = &self->result;
    uint64_t pixels = (uint64_t)result->original_width * result->original_height;
    if (pixels == 0) return PICTURE_CODEC_NO_PIXELS;
    if (pixels > self->request.maximum_pixels) return PICTURE_CODEC_TOO_MANY_PIXELS;
    // The library allocates two rows of up to 8 bytes per pixel, this decoder one of 4.
    uint64_t memory = (uint64_t)result->original_width * 20 + (uint64_t)result->width * result->height * 4
        + rows_of_sums(self) * result->width * sizeof(block_sum);
    if (memory > self->request.maximum_memory) {
        result->needed_memory = memory;
        return PICTURE_CODEC_TOO_MUCH_MEMORY;
    }
    return PICTURE_CODEC_OK;
}

// For each 64 of the light, the nearest sRGB value of the first one.
static void index_light(decoder *self) {
    const uint16_t *linear_light = self->request.linear_light;
    unsigned value = 0;
    for (uint32_t step = 0; step < 1024; step++) {
        while (value < 255 && (uint32_t)linear_light[value] + linear_light[value + 1] < 2 * 64 * step) value++;
        self->light_index[step] = (uint8_t)value;
    }
}

// Finds the nearest of 256 ascending values.
static uint8_t encode_light(const decoder *self, uint32_t light) {
    const uint16_t *linear_light = self->request.linear_light;
    unsigned value = self->light_index[light / 64];
    while (value < 255 && (uint32_t)linear_light[value] + linear_light[value + 1] < 2 * light) value++;
    return (uint8_t)value;
}

static void settle_row_of_blocks(decoder *self, const block_sum *sums, uint32_t y) {
    uint8_t *pixel = self->result.pixels + (size_t)self->result.width * 4 * y;
    for (uint32_t x = 0; x < self->result.width; x++, pixel += 4) {
        const block_sum *sum = &sums[x];
        if (sum->count == 0 || sum->alpha == 0) continue;
        // An average of 16 bits.
        pixel[0] = encode_light(self, (uint32_t)((sum->red + sum->alpha / 2) / sum->alpha));
        pixel[1] = encode_light(self, (uint32_t)((sum->green + sum->alpha / 2) / sum->alpha));
        pixel[2] = encode_light(self, (uint32_t)((sum->blue + sum->alpha / 2) / sum->alpha));
        pixel[3] = (uint8_t)((sum->alpha + sum->count / 2) / sum->count);
    }
}

static void add_pixel(const uint16_t *linear_light, block_sum *sum, const uint8_t *pixel) {
    uint64_t alpha = pixel[3];
    sum->red += linear_light[pixel[0]] * alpha;
    sum->green += linear_light[pixel[1]] * alpha;
    sum->blue += linear_light[pixel[2]] * alpha;
    sum->alpha += alpha;
    sum->count++;
}

static void add_row(decoder *self) {
    const uint16_t *linear_light = self->request.linear_light;
    const uint8_t *pixel = self->row;
    uint32_t left = self->result.original_width;
    for (block_sum *sum = self->sums; left > 0; sum++) {
        uint32_t count = left < self->factor ? left : self->factor;
        left -= count;
        if (!self->is_opaque || count > UINT16_MAX) {
            for (; count > 0; count--, pixel += 4) add_pixel(linear_light, sum, pixel);
            continue;
        }
        // Sums of 16 bits in 32, without a multiplication by alpha.
        uint32_t red = 0, green = 0, blue = 0;
        for (const uint8_t *end = pixel + (size_t)count * 4; pixel < end; pixel += 4) {
            red += linear_light[pixel[0]];
            green += linear_light[pixel[1]];
            blue += linear_light[pixel[2]];
        }
        sum->red += (uint64_t)red * 255;
        sum->green += (uint64_t)green * 255;
        sum->blue += (uint64_t)blue * 255;
        sum->alpha += (uint64_t)count * 255;
        sum->count += count;
    }
}

static void read_row(decoder *self, uint8_t *row) {
    if (is_late(self->request)) {
        self->is_too_slow = true;
        longjmp(self->escape, 1);
    }
    png_read_row(self->codec, row, NULL);
}

static void read_plain_rows(decoder *self) {
    picture_codec_result *result = &self->result;
    for (uint32_t y = 0; y < result->original_height; y++) {
        if (self->factor == 1) {
            read_row(self, result->pixels + (size_t)result->width * 4 * y);
            self->rows_read = y + 1;
            continue;
        }
        read_row(self, self->row);
        add_row(self);
        if (y % self->factor == self->factor - 1 || y == result->original_height - 1) {
            settle_row_of_blocks(self, self->sums, y / self->factor);
            memset(self->sums, 0, sizeof(block_sum) * result->width);
            self->rows_read = y / self->factor + 1;
        }
    }
}

// An early pass fills whole blocks, so that a truncated interlaced picture is coarse but complete.
static void paint_block(decoder *self, uint32_t x, uint32_t y, int pass, const uint8_t *pixel) {
    static const uint32_t widths[7] = {8, 4, 4, 2, 2, 1, 1}, heights[7] = {8, 8, 4, 4, 2, 2, 1};
    picture_codec_result *result = &self->result;
    for (uint32_t row = y; row < y + heights[pass] && row < result->height; row++) {
        for (uint32_t column = x; column < x + widths[pass] && column < result->width; column++) {
            memcpy(result->pixels + ((size_t)result->width * row + column) * 4, pixel, 4);
        }
    }
}

static void read_interlaced_rows(decoder *self) {
    picture_codec_result *result = &self->result;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        uint32_t columns = PNG_PASS_COLS(result->original_width, pass);
        uint32_t rows = PNG_PASS_ROWS(result->original_height, pass);
        if (columns == 0 || rows == 0) continue;
        for (uint32_t row = 0; row < rows; row++) {
            read_row(self, self->row);
            uint32_t y = PNG_ROW_FROM_PASS_ROW(row, pass);
            block_sum *sums = self->sums ? self->sums + (size_t)(y / self->factor) * result->width : NULL;
            for (uint32_t column = 0; column < columns; column++) {
                uint32_t x = PNG_COL_FROM_PASS_COL(column, pass);
                if (sums) {
                    add_pixel(self->request.linear_light, &sums[x / self->factor], self->row + (size_t)column * 4);
                } else {
                    paint_block(self, x, y, pass, self->row + (size_t)column * 4);
                }
            }
            self->rows_read++;
        }
    }
}

static void choose_transformations(decoder *self) {
    png_structp codec = self->codec;
    // A file with a gamma is converted to sRGB; files without one are sRGB.
    png_set_alpha_mode(codec, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
    png_set_scale_16(codec);
    png_set_expand(codec);
    png_set_gray_to_rgb(codec);
    png_set_filler(codec, 0xFF, PNG_FILLER_AFTER);
    png_read_update_info(codec, self->info);
}

static void ignore_what_is_not_pixels(decoder *self) {
    // Compressed texts and profiles may expand to any size and are not needed.
    static const png_byte ignored[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT\0hIST\0eXIf\0tIME\0pCAL\0sCAL";
    png_set_keep_unknown_chunks(self->codec, PNG_HANDLE_CHUNK_NEVER, ignored, sizeof ignored / 5);
    png_set_chunk_malloc_max(self->codec, 1 << 20);
    png_set_user_limits(self->codec, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
}

static picture_codec_status run(decoder *self) {
    if (setjmp(self->escape)) {
        if (self->is_too_slow) return PICTURE_CODEC_TOO_SLOW;
        if (self->is_out_of_memory) return PICTURE_CODEC_OUT_OF_MEMORY;
        return self->is_exhausted ? PICTURE_CODEC_TRUNCATED : PICTURE_CODEC_DAMAGED;
    }
    self->codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, escape_on_error, note_warning);
    self->info = self->codec ? png_create_info_struct(self->codec) : NULL;
    if (!self->info) return PICTURE_CODEC_OUT_OF_MEMORY;
    png_set_read_fn(self->codec, self, read_bytes);
    // Data is passed in small pieces, so that little is lost if it is truncated.
    png_set_compression_buffer_size(self->codec, 512);
    ignore_what_is_not_pixels(self);
    png_read_info(self->codec, self->info);

    picture_codec_result *result = &self->result;
    result->original_width = png_get_image_width(self->codec, self->info);
    result->original_height = png_get_image_height(self->codec, self->info);
    self->is_interlaced = png_get_interlace_type(self->codec, self->info) != PNG_INTERLACE_NONE;
    self->is_opaque = !(png_get_color_type(self->codec, self->info) & PNG_COLOR_MASK_ALPHA)
        && !png_get_valid(self->codec, self->info, PNG_INFO_tRNS);
    choose_factor(self);
    if (self->factor > 1) index_light(self);
    result->width = (result->original_width + self->factor - 1) / self->factor;
    result->height = (result->original_height + self->factor - 1) / self->factor;
    picture_codec_status status = refuse(self);
    if (status != PICTURE_CODEC_OK) return status;
    choose_transformations(self);
    if (png_get_rowbytes(self->codec, self->info) != (size_t)result->original_width * 4) {
        snprintf(result->message, sizeof result->message, "its rows cannot be converted to RGBA");
        return PICTURE_CODEC_UNSUPPORTED;
    }

    result->pixels = calloc((size_t)result->width * result->height, 4);
    self->row = malloc((size_t)result->original_width * 4);
    uint64_t sums = rows_of_sums(self) * result->width;
    if (sums > 0) self->sums = calloc((size_t)sums, sizeof(block_sum));
    if (!result->pixels || !self->row || (sums > 0 && !self->sums)) {
        self->is_out_of_memory = true;
        return PICTURE_CODEC_OUT_OF_MEMORY;
    }
    if (self->is_interlaced) {
        read_interlaced_rows(self);
    } else {
        read_plain_rows(self);
    }
    self->has_all_rows = true;
    png_read_end(self->codec, NULL);
    return PICTURE_CODEC_OK;
}

static void settle_partial_picture(decoder *self, picture_codec_status status) {
    picture_codec_result *result = &self->result;
    bool has_pixels = result->pixels && !self->is_out_of_memory && !self->is_too_slow && self->rows_read > 0;
    if (!has_pixels) {
        result->status = status == PICTURE_CODEC_OK ? PICTURE_CODEC_DAMAGED : status;
        free(result->pixels);
        result->pixels = NULL;
        return;
    }
    if (self->is_interlaced && self->sums) {
        for (uint32_t y = 0; y < result->height; y++) {
            settle_row_of_blocks(self, self->sums + (size_t)y * result->width, y);
        }
    }
    result->known_rows = self->has_all_rows || self->is_interlaced ? result->height : self->rows_read;
    // Without the last chunk alone, nothing is missing.
    result->is_truncated = self->is_exhausted && !self->has_all_rows;
    if (status == PICTURE_CODEC_DAMAGED) result->is_damaged = true;
    if (!self->has_all_rows && !self->is_interlaced) {
        // The row of the error may be incomplete.
        size_t stride = (size_t)result->width * 4;
        memset(result->pixels + stride * self->rows_read, 0, stride * (result->height - self->rows_read));
    }
    result->status = PICTURE_CODEC_OK;
}

picture_codec_result picture_codec_decode_png(
    const uint8_t *bytes, size_t count, picture_codec_request request) {
    decoder self;
    memset(&self, 0, sizeof self);
    self.request = request;
    if (request.deadline > 0) self.request.deadline = deadline_after(request.deadline);
    self.next = bytes;
    self.left = count;
    picture_codec_status status = run(&self);
    settle_partial_picture(&self, status);
    png_destroy_read_struct(&self.codec, &self.info, NULL);
    free(self.row);
    free(self.sums);
    return self.result;
}
