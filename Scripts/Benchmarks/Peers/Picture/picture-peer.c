// Decodes a picture with libjpeg or libpng alone and measures it.
//
// usage: picture-peer FILE DENOMINATOR REPETITIONS
//
// A JPEG is decoded to RGBA at 1/DENOMINATOR of its size by the scaled DCT, a PNG row by row to RGBA at its full size.
// Prints the milliseconds of processor time of one decoding and a sum of the bytes, so that nothing is optimised away.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>
#include <png.h>

static unsigned long sum;

static void decode_jpeg(unsigned char *bytes, size_t count, unsigned denominator) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    info.scale_num = 1;
    info.scale_denom = denominator;
    info.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&info);
    unsigned char *row = malloc((size_t)info.output_width * 4);
    while (info.output_scanline < info.output_height) {
        jpeg_read_scanlines(&info, &row, 1);
        sum += row[0];
    }
    free(row);
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
}

struct source {
    const unsigned char *bytes;
    size_t left;
};

static void read_bytes(png_structp png, png_bytep target, png_size_t count) {
    struct source *source = png_get_io_ptr(png);
    if (count > source->left) png_error(png, "end of data");
    memcpy(target, source->bytes, count);
    source->bytes += count;
    source->left -= count;
}

static void decode_png(const unsigned char *bytes, size_t count) {
    struct source source = {bytes, count};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) exit(1);
    png_set_read_fn(png, &source, read_bytes);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    unsigned char *row = malloc(png_get_rowbytes(png, info));
    for (png_uint_32 y = 0; y < png_get_image_height(png, info); y++) {
        png_read_row(png, row, NULL);
        sum += row[0];
    }
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    FILE *file = fopen(arguments[1], "rb");
    if (!file) return 1;
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(length);
    if (fread(bytes, 1, length, file) != length) return 1;
    int repetitions = atoi(arguments[3]);
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int i = 0; i < repetitions; i++) {
        if (bytes[0] == 0xFF) decode_jpeg(bytes, length, (unsigned)atoi(arguments[2])); else decode_png(bytes, length);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double time = (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6;
    printf("%.6f %lu\n", time / repetitions, sum);
    return 0;
}
