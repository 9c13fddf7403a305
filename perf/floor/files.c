// The floor "files": what the file system lets a program do. The files of a tar archive, read into memory beforehand, are written by so
// many threads with the calls that Transport.Files makes for each: openat (exclusive, no link followed, with its mode), write, futimens,
// close; the folders are made before and get their times at the end. A thread takes a folder at a time. No queue, no names checked, nothing
// published.
//
//   files THREADS ARCHIVE DIR     ARCHIVE: ustar, each folder before its files, no prefix; DIR is made
//
// Prints: nanoseconds of wall time, microseconds of CPU of the writing.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 512, MOST = 1 << 20 };

typedef struct { const char *name, *bytes; size_t size; mode_t mode; struct timespec time; } entry;
typedef struct { entry self; entry *files; size_t count; } folder;

static folder *folders;
static size_t folder_count;
static atomic_size_t next_folder;
static int root;

static void fail(const char *what) { perror(what); exit(2); }

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double cpu(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static void set_time(int fd, const entry *e) {
    struct timespec times[2] = { { 0, UTIME_OMIT }, e->time };
    if (futimens(fd, times) != 0) fail("futimens");
}

static char *load(const char *path, size_t *length) {
    struct stat s;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &s) != 0) fail(path);
    char *all = malloc((size_t)s.st_size + 1);
    for (*length = 0; *length < (size_t)s.st_size;) {
        ssize_t k = read(fd, all + *length, (size_t)s.st_size - *length);
        if (k <= 0) fail("read");
        *length += (size_t)k;
    }
    close(fd);
    return all;
}

static void parse(char *all, size_t length) {
    entry *files = calloc(MOST, sizeof *files);
    size_t used = 0;
    folders = calloc(MOST / BLOCK, sizeof *folders);
    for (size_t at = 0; at + BLOCK <= length && all[at] != 0;) {
        char *head = all + at, *slash;
        entry e = { head, head + BLOCK, strtoul(head + 124, NULL, 8), (mode_t)strtoul(head + 100, NULL, 8),
            { (time_t)strtoull(head + 136, NULL, 8), 0 } };
        if (head[156] == '5') {
            head[strlen(head) - 1] = 0;             // the slash at its end
            folders[folder_count++] = (folder){ e, files + used, 0 };
        } else {
            if (folder_count == 0 || used == MOST || (slash = strchr(head, '/')) == NULL) {
                fputs("files: not such an archive\n", stderr);
                exit(2);
            }
            e.name = slash + 1;
            files[used++] = e;
            folders[folder_count - 1].count++;
        }
        at += BLOCK + (e.size + BLOCK - 1) / BLOCK * BLOCK;
    }
}

static void *work(void *unused) {
    (void)unused;
    for (size_t i; (i = atomic_fetch_add(&next_folder, 1)) < folder_count;) {
        const folder *f = &folders[i];
        if (mkdirat(root, f->self.name, f->self.mode) != 0) fail("mkdirat");
        int directory = openat(root, f->self.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (directory < 0) fail("openat");
        for (size_t k = 0; k < f->count; k++) {
            const entry *e = &f->files[k];
            int fd = openat(directory, e->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, e->mode);
            if (fd < 0 || write(fd, e->bytes, e->size) != (ssize_t)e->size) fail(e->name);
            set_time(fd, e);
            close(fd);
        }
        set_time(directory, &f->self);
        close(directory);
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 4) { fputs("usage: files THREADS ARCHIVE DIR\n", stderr); return 2; }
    size_t length = 0;
    int threads = atoi(argv[1]);
    char *all = load(argv[2], &length);
    parse(all, length);
    pthread_t ids[64];
    double cpu_before = cpu();
    uint64_t from = now();
    if (mkdir(argv[3], 0777) != 0 || (root = open(argv[3], O_RDONLY | O_DIRECTORY)) < 0) fail(argv[3]);
    for (int i = 1; i < threads && i < 64; i++) if (pthread_create(&ids[i], NULL, work, NULL) != 0) fail("pthread_create");
    work(NULL);
    for (int i = 1; i < threads && i < 64; i++) pthread_join(ids[i], NULL);
    printf("%llu %.0f\n", (unsigned long long)(now() - from), cpu() - cpu_before);
    return 0;
}
