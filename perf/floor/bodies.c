// What a large body costs between two processes: over a Unix socket with the copies that the library makes, and in memory that both have
// mapped, read there (memfd) or copied out first, so that the other side cannot change what has been looked at (copied).
// gcc -O2 -o bodies bodies.c; ./bodies socket|memfd|copied BYTES COUNT
// Prints: GB/s, then microseconds of CPU a body of the sender and of the receiver.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { Sources = 8, Slots = 8, Piece = 256 << 10, KernelBuffer = 1 << 20 };

static void fail(const char *what) { perror(what); exit(1); }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static double cpu(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void put(int fd, const void *bytes, size_t count) {
    for (size_t at = 0; at < count;) {
        ssize_t n = write(fd, (const char *)bytes + at, count - at);
        if (n <= 0) fail("write");
        at += n;
    }
}

static int take(int fd, void *bytes, size_t count) {
    for (size_t at = 0; at < count;) {
        ssize_t n = read(fd, (char *)bytes + at, count - at);
        if (n < 0) fail("read");
        if (n == 0) return 0;
        at += n;
    }
    return 1;
}

// What a handler does with a body at least: looks at all of it.
static uint64_t sum(const uint8_t *bytes, size_t count) {
    uint64_t s = 0, word;
    for (size_t i = 0; i + 8 <= count; i += 8) {
        memcpy(&word, bytes + i, 8);
        s = s * 31 + word;
    }
    return s;
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "bodies socket|memfd|copied BYTES COUNT\n"), 2;
    int copied = !strcmp(argv[1], "copied"), shared = copied || !strcmp(argv[1], "memfd");
    size_t size = strtoull(argv[2], 0, 10), count = strtoull(argv[3], 0, 10);
    int fds[2], buffer = KernelBuffer;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) fail("socketpair");
    for (int i = 0; i < 2; i++) setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    uint8_t *slots = NULL;
    if (shared) {
        // The descriptor is inherited here; between strangers it would be passed once over the socket.
        int memory = memfd_create("bodies", MFD_CLOEXEC);
        if (memory < 0 || ftruncate(memory, size * Slots)) fail("memfd");
        slots = mmap(NULL, size * Slots, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        if (slots == MAP_FAILED) fail("mmap");
        memset(slots, 0, size * Slots);
    }

    double start = now();
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        close(fds[0]);
        uint8_t *window = malloc(Piece), *body = malloc(size);
        memset(body, 0, size);
        uint64_t s = 0, slot;
        double before = cpu();
        for (size_t n = 0; n < count; n++) {
            if (shared) {
                if (!take(fds[1], &slot, sizeof slot)) fail("end");
                if (!copied) s += sum(slots + slot * size, size);
                else memcpy(body, slots + slot * size, size);
                put(fds[1], &slot, sizeof slot);
                if (copied) s += sum(body, size);
            } else {
                for (size_t at = 0; at < size; at += Piece) {
                    size_t piece = size - at < Piece ? size - at : Piece;
                    if (!take(fds[1], window, piece)) fail("end");
                    memcpy(body + at, window, piece);
                }
                s += sum(body, size);
            }
        }
        double used = (cpu() - before) * 1e6 / count;
        put(fds[1], &used, sizeof used);
        put(fds[1], &s, sizeof s);
        _exit(0);
    }

    close(fds[1]);
    uint8_t *sources = malloc(size * Sources), *segment = malloc(Piece);
    for (size_t i = 0; i < size * Sources; i++) sources[i] = i * 31;
    uint64_t expected = 0, got;
    for (size_t n = 0; n < Sources && n < count; n++) expected += sum(sources + n * size, size) * (count / Sources + (n < count % Sources));
    uint64_t free_slots[Slots], slot;
    size_t free_count = 0;
    for (int i = 0; i < Slots; i++) free_slots[free_count++] = i;
    start = now();
    double before = cpu();
    for (size_t n = 0; n < count; n++) {
        const uint8_t *source = sources + n % Sources * size;
        if (shared) {
            if (free_count == 0) {
                if (!take(fds[0], &slot, sizeof slot)) fail("end");
                free_slots[free_count++] = slot;
            }
            slot = free_slots[--free_count];
            memcpy(slots + slot * size, source, size);
            put(fds[0], &slot, sizeof slot);
        } else {
            for (size_t at = 0; at < size; at += Piece) {
                size_t piece = size - at < Piece ? size - at : Piece;
                memcpy(segment, source + at, piece);
                put(fds[0], segment, piece);
            }
        }
    }
    while (shared && free_count < Slots) {
        if (!take(fds[0], &slot, sizeof slot)) fail("end");
        free_slots[free_count++] = slot;
    }
    double used = (cpu() - before) * 1e6 / count, theirs;
    if (!take(fds[0], &theirs, sizeof theirs) || !take(fds[0], &got, sizeof got)) fail("end");
    double seconds = now() - start;
    if (got != expected) return fprintf(stderr, "a body was changed\n"), 1;
    printf("%.2f %.1f %.1f\n", size * count / seconds / 1e9, used, theirs);
    return waitpid(child, NULL, 0) < 0;
}
