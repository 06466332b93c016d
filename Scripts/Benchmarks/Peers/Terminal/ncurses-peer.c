// Draws screens with ncurses and measures them.
//
// usage: ncurses-peer SCREENS OUTPUT REPETITIONS
//
// SCREENS has lines: "columns rows", then for each run of text "r ROW COLUMN STYLE TEXT", and "f" at the end of a frame.
// The styles are 0 plain, 1 reverse, 2 bold, 3 white on blue. Each frame contains the whole screen. All frames are drawn
// once before the measurement. Prints the bytes and the microseconds of processor time of one frame.
#define _GNU_SOURCE
#include <locale.h>
#include <ncursesw/curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <wchar.h>

struct run {
    int row, column, style;
    wchar_t *text;
};

static struct run *runs;
static size_t run_count, run_capacity;
static size_t *frame_ends;
static size_t frame_count, frame_capacity;

static void add_run(struct run run) {
    if (run_count == run_capacity) runs = realloc(runs, (run_capacity = run_capacity * 2 + 64) * sizeof *runs);
    runs[run_count++] = run;
}

static void add_frame(void) {
    if (frame_count == frame_capacity) {
        frame_ends = realloc(frame_ends, (frame_capacity = frame_capacity * 2 + 64) * sizeof *frame_ends);
    }
    frame_ends[frame_count++] = run_count;
}

static void draw(size_t frame) {
    static const int pair_of_style = 1;
    werase(stdscr);
    for (size_t i = frame == 0 ? 0 : frame_ends[frame - 1]; i < frame_ends[frame]; i++) {
        attr_t attributes = runs[i].style == 1 ? A_REVERSE : runs[i].style == 2 ? A_BOLD : A_NORMAL;
        wattr_set(stdscr, attributes, runs[i].style == 3 ? pair_of_style : 0, NULL);
        mvaddwstr(runs[i].row, runs[i].column, runs[i].text);
    }
    wrefresh(stdscr);
}

static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static long long size_of(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 ? (long long)file.st_size : 0;
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    setlocale(LC_ALL, "C.UTF-8");
    FILE *screens = fopen(arguments[1], "r");
    FILE *output = fopen(arguments[2], "w");
    if (!screens || !output) return 1;
    int columns, rows;
    if (fscanf(screens, "%d %d\n", &columns, &rows) != 2) return 1;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, screens)) > 0) {
        line[strcspn(line, "\n")] = 0;
        struct run run;
        int start = 0;
        if (line[0] == 'f') {
            add_frame();
        } else if (sscanf(line, "r %d %d %d%n", &run.row, &run.column, &run.style, &start) == 3) {
            run.text = calloc(strlen(line) + 1, sizeof(wchar_t));
            mbstowcs(run.text, line + start + 1, strlen(line) + 1);
            add_run(run);
        }
    }
    char number[16];
    snprintf(number, sizeof number, "%d", columns);
    setenv("COLUMNS", number, 1);
    snprintf(number, sizeof number, "%d", rows);
    setenv("LINES", number, 1);
    SCREEN *screen = newterm("xterm-256color", output, stdin);
    if (!screen) return 1;
    set_term(screen);
    start_color();
    use_default_colors();
    init_pair(1, 7, 4);
    // Lets ncurses insert, delete and scroll lines.
    idlok(stdscr, TRUE);
    curs_set(0);
    for (size_t frame = 0; frame < frame_count; frame++) draw(frame);
    int repetitions = atoi(arguments[3]);
    long long bytes = size_of(arguments[2]);
    double begin = processor_time();
    for (int repetition = 0; repetition < repetitions; repetition++) {
        for (size_t frame = 1; frame < frame_count; frame++) draw(frame);
    }
    double frames = (double)repetitions * (double)(frame_count - 1);
    double time = (processor_time() - begin) / frames;
    bytes = size_of(arguments[2]) - bytes;
    endwin();
    printf("%.3f %.3f\n", bytes / frames, time);
    return 0;
}
