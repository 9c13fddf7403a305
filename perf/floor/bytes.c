// The floor "bytes": what the machine can move. Packets encoded beforehand are copied into a batch of 256 KiB, written to a Unix domain
// socket, read by another process, checked (order, and the sum of every byte) and thrown away. No queue, no objects, no decoding.
//
//   bytes FILE COUNT     FILE: packets, each a length of 4 bytes (little endian) and that many bytes; sent round and round, COUNT in all
//
// A packet larger than the batch goes through it piece by piece, and the receiver puts it together again: the same user-space copies as a
// transport that frames large packets in chunks has to make.
// Prints: nanoseconds of wall time, microseconds of CPU of the sender, of the receiver.
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

enum { BATCH = 256 << 10, KERNEL = 1 << 20 };

typedef struct { uint32_t length, sequence; uint64_t sum; } header;
typedef struct { header head; const uint8_t *body; } packet;
typedef struct { uint64_t began, ended; double cpu[2]; int bad; } result;

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

static uint64_t sum(const uint8_t *p, size_t n) {
    uint64_t sums[4] = { 0 }, places[4] = { 0 }, v[4];      // the second reports pieces that changed places
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        memcpy(v, p + i, 32);
        for (int k = 0; k < 4; k++) { sums[k] += v[k]; places[k] += sums[k]; }
    }
    uint64_t all = 5 * (sums[0] + sums[1] + sums[2] + sums[3]) + 2 * (places[0] + places[1] + places[2] + places[3]);
    for (; i < n; i++) all += p[i];
    return all;
}

static void write_all(int fd, const uint8_t *p, size_t n) {
    while (n > 0) {
        ssize_t k = write(fd, p, n);
        if (k <= 0) fail("write");
        p += k;
        n -= (size_t)k;
    }
}

static packet *load(const char *path, size_t *count, size_t *largest) {
    FILE *f = fopen(path, "rb");
    if (!f) fail(path);
    packet *all = NULL;
    *count = *largest = 0;
    for (uint32_t length; fread(&length, 4, 1, f) == 1; ++*count) {
        uint8_t *body = malloc(length);
        if (!body || fread(body, 1, length, f) != length) fail("packets");
        all = realloc(all, (*count + 1) * sizeof *all);
        if (!all) fail("memory");
        all[*count] = (packet){ { length, 0, sum(body, length) }, body };
        if (length > *largest) *largest = length;
    }
    fclose(f);
    if (*count == 0) { fprintf(stderr, "%s holds no packets\n", path); exit(2); }
    return all;
}

static uint8_t batch[BATCH];
static size_t filled;

static void put(int fd, const void *bytes, size_t n) {
    for (const uint8_t *p = bytes; n > 0;) {
        size_t piece = n < BATCH - filled ? n : BATCH - filled;
        memcpy(batch + filled, p, piece);
        filled += piece;
        p += piece;
        n -= piece;
        if (filled == BATCH) { write_all(fd, batch, BATCH); filled = 0; }
    }
}

static void send_packets(int fd, const packet *all, size_t kinds, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const packet *next = &all[i % kinds];
        header head = next->head;
        head.sequence = i;
        put(fd, &head, sizeof head);
        put(fd, next->body, head.length);
    }
    write_all(fd, batch, filled);
}

static int receive_packets(int fd, size_t largest, uint32_t count) {
    static uint8_t window[BATCH];
    uint8_t *whole = malloc(largest);              // where a packet larger than the window is put together
    size_t have = 0;
    if (!whole) fail("memory");
    memset(whole, 0, largest);
    for (uint32_t sequence = 0; sequence < count;) {
        ssize_t k = read(fd, window + have, BATCH - have);
        if (k <= 0) return 1;
        have += (size_t)k;
        size_t at = 0;
        while (sequence < count && have - at >= sizeof(header)) {
            header head;
            memcpy(&head, window + at, sizeof head);
            if (head.sequence != sequence || head.length > largest) return 1;
            size_t body = have - at - sizeof head;
            if (body >= head.length) {
                if (sum(window + at + sizeof head, head.length) != head.sum) return 1;
                at += sizeof head + head.length;
            } else if (head.length + sizeof head <= BATCH) {
                break;                              // the rest comes with the next read
            } else {
                memcpy(whole, window + at + sizeof head, body);
                while (body < head.length) {
                    size_t want = head.length - body < BATCH ? head.length - body : BATCH;
                    if ((k = read(fd, window, want)) <= 0) return 1;
                    memcpy(whole + body, window, (size_t)k);
                    body += (size_t)k;
                }
                if (sum(whole, head.length) != head.sum) return 1;
                at = have = 0;
            }
            sequence++;
        }
        memmove(window, window + at, have - at);
        have -= at;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) { fprintf(stderr, "usage: bytes FILE COUNT\n"); return 2; }
    size_t kinds, largest;
    packet *all = load(argv[1], &kinds, &largest);
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    result *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int fd[2], size = KERNEL;
    if (r == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, fd)) fail("socketpair");
    setsockopt(fd[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    memset(batch, 1, BATCH);
    pid_t sender = fork();
    if (sender == 0) {
        close(fd[0]);
        double before = cpu();
        r->began = now();
        send_packets(fd[1], all, kinds, count);
        r->cpu[0] = cpu() - before;
        _exit(0);
    }
    close(fd[1]);
    double before = cpu();
    r->bad = receive_packets(fd[0], largest, count);
    r->ended = now();
    r->cpu[1] = cpu() - before;
    close(fd[0]);
    waitpid(sender, NULL, 0);
    if (r->bad) { fprintf(stderr, "a packet came out of order, broken or not at all\n"); return 1; }
    printf("%llu %.0f %.0f\n", (unsigned long long)(r->ended - r->began), r->cpu[0], r->cpu[1]);
    return 0;
}
