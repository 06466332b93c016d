#define _GNU_SOURCE
#include "CPictureCodecs.h"
#include "Deadline.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

// State that must survive a longjmp. It is in the caller's frame, because objects local to the function that calls
// setjmp lose their values.
typedef struct {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    picture_codec_request request;
    picture_codec_result result;
    uint8_t *cmyk_row;
    uint32_t rows_read;
    bool is_exhausted;
    // The first row of blocks without data; UINT32_MAX if there is none.
    uint32_t missing_block_row;
    // Whether the scans contain every coefficient of every component.
    bool has_all_scans;
    int error_code;
    bool stopped_at_scans;
    bool is_too_slow;
} decoder;

static decoder *decoder_of(j_common_ptr codec) { return codec->client_data; }

static void keep_message(j_common_ptr codec) {
    decoder *self = decoder_of(codec);
    if (self->result.message[0] == '\0') {
        char text[JMSG_LENGTH_MAX];
        codec->err->format_message(codec, text);
        snprintf(self->result.message, sizeof self->result.message, "%.199s", text);
    }
}

static void escape_on_error(j_common_ptr codec) {
    keep_message(codec);
    decoder_of(codec)->error_code = codec->err->msg_code;
    longjmp(decoder_of(codec)->escape, 1);
}

static void note_warning(j_common_ptr codec, int level) {
    if (level >= 0) return;
    decoder *self = decoder_of(codec);
    keep_message(codec);
    codec->err->num_warnings++;
    bool ran_dry = codec->err->msg_code == JWRN_HIT_MARKER;
    if (ran_dry && self->is_exhausted && self->missing_block_row == UINT32_MAX) {
        // A first scan that ends early leaves rows without pixels; a later one leaves rows coarse.
        self->missing_block_row =
            self->codec.input_scan_number <= 1 ? self->codec.input_iMCU_row : self->codec.total_iMCU_rows;
    }
    // After the data, the library reads end markers in place of what is missing.
    if (!self->is_exhausted) self->result.is_damaged = true;
}

static void ignore_message(j_common_ptr codec) { (void)codec; }

static void do_nothing(j_decompress_ptr codec) { (void)codec; }

// At the end of the data, an end marker lets the library finish with the data it has.
static boolean feed_end_marker(j_decompress_ptr codec) {
    static const JOCTET end[2] = {0xFF, JPEG_EOI};
    decoder_of((j_common_ptr)codec)->is_exhausted = true;
    codec->src->next_input_byte = end;
    codec->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void skip_bytes(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    if ((size_t)count > codec->src->bytes_in_buffer) {
        feed_end_marker(codec);
    } else {
        codec->src->next_input_byte += count;
        codec->src->bytes_in_buffer -= (size_t)count;
    }
}

// A small file with many scans over many blocks could take minutes.
static void check_scans(j_common_ptr codec) {
    decoder *self = decoder_of(codec);
    if (!codec->is_decompressor) return;
    if ((uint32_t)self->codec.input_scan_number > self->request.maximum_scans) {
        self->stopped_at_scans = true;
        longjmp(self->escape, 1);
    }
    if (is_late(self->request)) {
        self->is_too_slow = true;
        longjmp(self->escape, 1);
    }
}

static void choose_scale(decoder *self) {
    struct jpeg_decompress_struct *codec = &self->codec;
    codec->scale_num = 1;
    codec->scale_denom = 1;
    if (self->request.wanted_width == 0 || self->request.wanted_height == 0) return;
    for (unsigned denominator = 8; denominator > 1; denominator /= 2) {
        uint32_t width = (codec->image_width + denominator - 1) / denominator;
        uint32_t height = (codec->image_height + denominator - 1) / denominator;
        if (width >= self->request.wanted_width && height >= self->request.wanted_height) {
            codec->scale_denom = denominator;
            return;
        }
    }
}

static uint64_t working_memory(decoder *self) {
    struct jpeg_decompress_struct *codec = &self->codec;
    uint64_t bytes = (uint64_t)codec->output_width * codec->output_height * 4;
    if (jpeg_has_multiple_scans(codec)) {
        // All coefficients are in memory until the last scan.
        for (int index = 0; index < codec->num_components; index++) {
            jpeg_component_info *component = &codec->comp_info[index];
            bytes += (uint64_t)component->width_in_blocks * component->height_in_blocks * sizeof(JBLOCK);
        }
    }
    // Strips of samples for upsampling and the context above and below.
    return bytes + (uint64_t)codec->image_width * 4 * 64;
}

// Adobe's CMYK is stored inverted, which makes it the light each ink lets through.
static void convert_cmyk(const uint8_t *cmyk, uint8_t *rgba, uint32_t width, bool is_inverted) {
    for (uint32_t x = 0; x < width; x++, cmyk += 4, rgba += 4) {
        unsigned key = is_inverted ? cmyk[3] : 255u - cmyk[3];
        for (int ink = 0; ink < 3; ink++) {
            unsigned light = is_inverted ? cmyk[ink] : 255u - cmyk[ink];
            rgba[ink] = (uint8_t)((light * key + 127) / 255);
        }
        rgba[3] = 255;
    }
}

static void read_rows(decoder *self) {
    struct jpeg_decompress_struct *codec = &self->codec;
    size_t stride = (size_t)codec->output_width * 4;
    while (codec->output_scanline < codec->output_height) {
        uint8_t *row = self->result.pixels + stride * codec->output_scanline;
        JSAMPROW target = self->cmyk_row ? self->cmyk_row : row;
        if (is_late(self->request)) {
            self->is_too_slow = true;
            longjmp(self->escape, 1);
        }
        if (jpeg_read_scanlines(codec, &target, 1) != 1) break;
        if (self->cmyk_row) convert_cmyk(target, row, codec->output_width, codec->saw_Adobe_marker);
        self->rows_read = codec->output_scanline;
    }
}

// Valid until the decompression is finished, which frees what is compared here.
static bool has_all_scans(struct jpeg_decompress_struct *codec) {
    for (int index = 0; index < codec->num_components; index++) {
        // The table is set by the first scan of a component.
        if (!codec->comp_info[index].quant_table) return false;
        for (int place = 0; codec->progressive_mode && place < DCTSIZE2; place++) {
            // The number of bits of the coefficient that are missing, or -1 for all.
            if (codec->coef_bits[index][place] != 0) return false;
        }
    }
    return true;
}

static picture_codec_status refuse(decoder *self) {
    struct jpeg_decompress_struct *codec = &self->codec;
    uint64_t pixels = (uint64_t)codec->image_width * codec->image_height;
    if (pixels == 0) return PICTURE_CODEC_NO_PIXELS;
    if (pixels > self->request.maximum_pixels) return PICTURE_CODEC_TOO_MANY_PIXELS;
    uint64_t memory = working_memory(self);
    if (memory > self->request.maximum_memory) {
        self->result.needed_memory = memory;
        return PICTURE_CODEC_TOO_MUCH_MEMORY;
    }
    return PICTURE_CODEC_OK;
}

static picture_codec_status choose_colours(decoder *self) {
    struct jpeg_decompress_struct *codec = &self->codec;
    switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr:
        codec->out_color_space = JCS_EXT_RGBA;
        return PICTURE_CODEC_OK;
    case JCS_CMYK:
    case JCS_YCCK:
        codec->out_color_space = JCS_CMYK;
        return PICTURE_CODEC_OK;
    default:
        snprintf(
            self->result.message, sizeof self->result.message, "%d components of an unknown colour space",
            codec->num_components);
        return PICTURE_CODEC_UNSUPPORTED;
    }
}

static picture_codec_status status_of_error(decoder *self) {
    if (self->is_too_slow) return PICTURE_CODEC_TOO_SLOW;
    if (self->stopped_at_scans) return PICTURE_CODEC_TOO_MANY_SCANS;
    switch (self->error_code) {
    case JERR_OUT_OF_MEMORY:
        return PICTURE_CODEC_OUT_OF_MEMORY;
    case JERR_EMPTY_IMAGE:
        return PICTURE_CODEC_NO_PIXELS;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOTIMPL:
        return PICTURE_CODEC_UNSUPPORTED;
    default:
        return self->is_exhausted ? PICTURE_CODEC_TRUNCATED : PICTURE_CODEC_DAMAGED;
    }
}

// The function that calls setjmp; it has no local state.
static picture_codec_status run(decoder *self) {
    if (setjmp(self->escape)) return status_of_error(self);
    struct jpeg_decompress_struct *codec = &self->codec;
    jpeg_create_decompress(codec);
    codec->client_data = self;
    codec->src = &self->source;
    codec->progress = &self->progress;
    jpeg_read_header(codec, TRUE);
    self->result.original_width = codec->image_width;
    self->result.original_height = codec->image_height;
    picture_codec_status status = choose_colours(self);
    if (status != PICTURE_CODEC_OK) return status;
    choose_scale(self);
    jpeg_calc_output_dimensions(codec);
    status = refuse(self);
    if (status != PICTURE_CODEC_OK) return status;
    jpeg_start_decompress(codec);
    self->result.width = codec->output_width;
    self->result.height = codec->output_height;
    self->result.pixels = calloc((size_t)codec->output_width * codec->output_height, 4);
    if (codec->out_color_space == JCS_CMYK) self->cmyk_row = calloc(codec->output_width, 4);
    if (!self->result.pixels || (codec->out_color_space == JCS_CMYK && !self->cmyk_row)) {
        return PICTURE_CODEC_OUT_OF_MEMORY;
    }
    read_rows(self);
    self->has_all_scans = has_all_scans(codec);
    jpeg_finish_decompress(codec);
    return PICTURE_CODEC_OK;
}

// The decoder fills rows without data by a guess: make them transparent.
static void settle_partial_picture(decoder *self, picture_codec_status status) {
    picture_codec_result *result = &self->result;
    uint64_t known = self->rows_read;
    if (self->missing_block_row != UINT32_MAX) {
        uint64_t rows = (uint64_t)self->missing_block_row * (uint64_t)self->codec.max_v_samp_factor
            * (uint64_t)self->codec.min_DCT_scaled_size;
        if (rows < known) known = rows;
    }
    result->known_rows = (uint32_t)known;
    // Without the end marker alone, nothing is missing.
    bool is_whole = self->has_all_scans && self->missing_block_row == UINT32_MAX && self->rows_read == result->height;
    result->is_truncated = self->is_exhausted && !is_whole;
    if (known > 0 && result->pixels && status != PICTURE_CODEC_OUT_OF_MEMORY && status != PICTURE_CODEC_TOO_SLOW) {
        if (status != PICTURE_CODEC_OK && !self->is_exhausted) result->is_damaged = true;
        size_t stride = (size_t)result->width * 4;
        memset(result->pixels + stride * known, 0, stride * (result->height - known));
        result->status = PICTURE_CODEC_OK;
        return;
    }
    result->status = status != PICTURE_CODEC_OK ? status
        : self->is_exhausted                    ? PICTURE_CODEC_TRUNCATED
                                                : PICTURE_CODEC_DAMAGED;
    free(result->pixels);
    result->pixels = NULL;
}

// Decodes the first `*count` bytes. Of a picture that ends inside of the marker segment after a scan, shortens the count to
// that before the marker: the scans before it are whole.
static picture_codec_result decode(const uint8_t *bytes, size_t *count, picture_codec_request request) {
    decoder self;
    memset(&self, 0, sizeof self);
    self.request = request;
    self.missing_block_row = UINT32_MAX;
    self.codec.err = jpeg_std_error(&self.errors);
    self.codec.client_data = &self;
    self.errors.error_exit = escape_on_error;
    self.errors.emit_message = note_warning;
    self.errors.output_message = ignore_message;
    self.source.init_source = do_nothing;
    self.source.term_source = do_nothing;
    self.source.fill_input_buffer = feed_end_marker;
    self.source.skip_input_data = skip_bytes;
    self.source.resync_to_restart = jpeg_resync_to_restart;
    self.source.next_input_byte = bytes;
    self.source.bytes_in_buffer = *count;
    self.progress.progress_monitor = check_scans;

    picture_codec_status status = run(&self);
    settle_partial_picture(&self, status);
    if (self.result.status == PICTURE_CODEC_TRUNCATED && self.codec.input_scan_number > 0) {
        size_t end = *count;
        // FF 00 is data.
        do end--; while (end > 1 && (bytes[end - 1] != 0xFF || bytes[end] == 0 || bytes[end] == 0xFF));
        *count = end - 1;
    }
    jpeg_destroy_decompress(&self.codec);
    free(self.cmyk_row);
    return self.result;
}

picture_codec_result picture_codec_decode_jpeg(
    const uint8_t *bytes, size_t count, picture_codec_request request) {
    if (request.deadline > 0) request.deadline = deadline_after(request.deadline);
    size_t shorter = count;
    picture_codec_result result = decode(bytes, &shorter, request);
    // The bytes of the segment may look like a marker, too.
    for (int attempt = 0; attempt < 4 && shorter < count; attempt++) {
        count = shorter;
        result = decode(bytes, &shorter, request);
    }
    return result;
}
