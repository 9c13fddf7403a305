// The floors of the journal: what the disk and the kernel give to a program of one purpose. Records are framed as the journal frames them
// (docs/journal-format.md: 40 bytes of header, node, body, zeros up to a multiple of 8, CRC-32C by the processor's instruction over all of
// it, each record with the sum of the one before), so both sides put the same bytes on the disk and sum as many.
//
//   journal MODE FILE SIZE PRODUCERS DEPTH BYTES     makes FILE, BYTES long: allocated, its length set, synced; goes round in it
//     always    one record, pwrite, fdatasync
//     group     PRODUCERS threads append DEPTH records each under a mutex and wait for a condition; one thread takes what is there, sums
//     it,
//               writes it by one call, syncs, wakes all
//     buffer    records into 64 KiB, pwrite when they are full; a second thread syncs once a second
//     writes    one pwrite a record; a second thread syncs once a second
//     flight    PRODUCERS threads, each with a block of 4 KiB of its own: O_DIRECT and O_DSYNC into a file of zeros: as many commits in
//     flight
//   journal scan FILE...                             checks the records of the journal's own segment files
//   journal rewrite FILE BYTES                       writes a file anew and anew, 4 MiB and fdatasync at a time
//
// A line of input is a round of so many milliseconds (scan: any line; rewrite: go and stop). Answers, on a line: records, nanoseconds,
// microseconds of CPU of the process, and of one wait: median, 99th percentile, longest, in nanoseconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__SSE4_2__)
#include <nmmintrin.h>
#define CRC8(sum, word) ((uint32_t)_mm_crc32_u64(sum, word))
#define CRC4(sum, word) _mm_crc32_u32(sum, word)
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define CRC8(sum, word) __crc32cd(sum, word)
#define CRC4(sum, word) __crc32cw(sum, word)
#else
#error "this processor has no instruction for CRC-32C"
#endif

enum { HEADER = 40, SEGMENT = 4096, BUFFER = 64 << 10, BLOCK = 4096, QUEUE = 64 << 20,
    WINDOW = 256 << 10, REWRITE = 4 << 20, MOST = 64, KEPT = 1 << 16 };

typedef struct {
    uint32_t sum, length;
    uint64_t position;
    uint32_t epoch, previous, behind;
    uint16_t type;
    uint8_t node, kind;
    uint64_t time;
} header;

static const char node[] = { 'n', '1' };
static uint8_t *body;
static uint32_t size, chain;
static size_t whole;
static int file, producers, depth;
static uint64_t length, offset, position, synced;

static void fail(const char *what) { perror(what); exit(2); }

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 10000000u + (uint64_t)t.tv_nsec / 100;
}

static double cpu(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static uint32_t crc(const uint8_t *p, size_t n) {            // n is a multiple of 8 and 4 more: a record without its own sum
    uint64_t word;
    uint32_t sum = ~0u, first;
    memcpy(&first, p, 4);
    sum = CRC4(sum, first);
    for (size_t i = 4; i + 8 <= n; i += 8) {
        memcpy(&word, p + i, 8);
        sum = CRC8(sum, word);
    }
    return ~sum;
}

// What is known when a record is appended, and what is known when it is written.
static void begin(uint8_t *to, uint64_t at, uint64_t time) {
    header h = { 0, size, at, 1, 0, 0, 256, sizeof node, 1, time };
    memset(to + whole - 8, 0, 8);
    memcpy(to, &h, HEADER);
    memcpy(to + HEADER, node, sizeof node);
    memcpy(to + HEADER + sizeof node, body, size);
}

static void finish(uint8_t *record) {
    header *h = (header *)(void *)record;
    h->previous = chain;
    h->behind = (uint32_t)(h->position - synced);
    chain = h->sum = crc(record + 4, whole - 4);
}

static void put(const uint8_t *p, size_t n) {
    if (offset + n > length) offset = 0;
    while (n > 0) {
        ssize_t k = pwrite(file, p, n, (off_t)offset);
        if (k <= 0) fail("pwrite");
        p += k;
        n -= (size_t)k;
        offset += (uint64_t)k;
    }
}

static void sync_all(void) {
    if (fdatasync(file)) fail("fdatasync");
}

// How long each wait took; a longer round keeps its first 65,536 a producer.
typedef struct { uint64_t *took; size_t count; uint64_t records; pthread_t thread; } meter;
static meter meters[MOST];
static uint64_t until;

static void note(meter *m, uint64_t from, uint64_t to) {
    if (m->count < KEPT) m->took[m->count++] = to - from;
    m->records += (uint64_t)depth;
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void answer(uint64_t began, uint64_t ended, double used) {
    static uint64_t all[MOST * KEPT];
    size_t n = 0;
    uint64_t records = 0;
    for (int i = 0; i < MOST; i++) {
        if (meters[i].count > 0) memcpy(all + n, meters[i].took, meters[i].count * sizeof *all);
        n += meters[i].count;
        records += meters[i].records;
        meters[i].count = 0;
        meters[i].records = 0;
    }
    qsort(all, n, sizeof *all, ascending);
    printf("%llu %llu %.0f %llu %llu %llu\n", (unsigned long long)records, (unsigned long long)(ended - began), used,
        (unsigned long long)(n ? all[n / 2] : 0), (unsigned long long)(n ? all[n * 99 / 100] : 0),
        (unsigned long long)(n ? all[n - 1] : 0));
    fflush(stdout);
}

static void always(void) {
    static uint8_t record[1 << 20];
    for (uint64_t from = now(), to; from < until; from = to) {
        begin(record, ++position, wall());
        finish(record);
        put(record, whole);
        sync_all();
        synced = position;
        note(&meters[0], from, to = now());
    }
}

// Group commit.
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static uint8_t *filling, *writing;
static size_t filled;

static void *commit(void *none) {
    pthread_mutex_lock(&gate);
    while (1) {
        while (filled == 0) pthread_cond_wait(&some, &gate);
        uint8_t *batch = filling;
        size_t n = filled;
        uint64_t last = position;
        filling = writing;
        writing = batch;
        filled = 0;
        pthread_mutex_unlock(&gate);
        for (size_t at = 0; at < n; at += whole) finish(batch + at);
        put(batch, n);
        sync_all();
        pthread_mutex_lock(&gate);
        synced = last;
        pthread_cond_broadcast(&done);
    }
    return none;
}

static void *produce(void *mine) {
    for (uint64_t from = now(), to; from < until; from = to) {
        uint64_t time = wall();
        pthread_mutex_lock(&gate);
        if (filled == 0) pthread_cond_signal(&some);
        for (int i = 0; i < depth; i++, filled += whole) begin(filling + filled, ++position, time);
        uint64_t last = position;
        while (synced < last) pthread_cond_wait(&done, &gate);
        pthread_mutex_unlock(&gate);
        note(mine, from, to = now());
    }
    return NULL;
}

// Once a second.
static volatile int dirty;

static void *sync_each_second(void *none) {
    while (1) {
        sleep(1);
        if (!dirty) continue;
        dirty = 0;
        sync_all();
    }
    return none;
}

static void each_second(size_t capacity) {
    static uint8_t buffer[BUFFER + (1 << 20)];
    size_t used = 0;
    while (1) {
        begin(buffer + used, ++position, wall());
        finish(buffer + used);
        used += whole;
        if (used >= capacity) {
            put(buffer, used);
            dirty = 1;
            used = 0;
        }
        meters[0].records++;
        if (meters[0].records % 64 == 0 && now() >= until) break;
    }
    if (used > 0) put(buffer, used);
}

// Several commits in flight.
static void *fly(void *mine) {
    static uint64_t next;
    uint8_t *block = NULL;
    size_t n = (whole + BLOCK - 1) / BLOCK * BLOCK;
    if (posix_memalign((void **)&block, BLOCK, n)) fail("memory");
    memset(block, 0, n);
    for (uint64_t from = now(), to; from < until; from = to) {
        begin(block, __atomic_add_fetch(&position, 1, __ATOMIC_RELAXED), wall());
        ((header *)(void *)block)->sum = crc(block + 4, whole - 4);
        uint64_t at = __atomic_fetch_add(&next, n, __ATOMIC_RELAXED) % (length / n * n);
        if (pwrite(file, block, n, (off_t)at) != (ssize_t)n) fail("pwrite, O_DIRECT");
        note(mine, from, to = now());
    }
    free(block);
    return NULL;
}

static void all_threads(void *(*work)(void *)) {
    for (int i = 0; i < producers; i++)
        if (pthread_create(&meters[i].thread, NULL, work, &meters[i])) fail("thread");
    for (int i = 0; i < producers; i++) pthread_join(meters[i].thread, NULL);
}

static void make_file(const char *path, int zeros) {
    file = open(path, O_CREAT | O_RDWR, 0600);
    if (file < 0) fail(path);
    if (posix_fallocate(file, 0, (off_t)length)) fail("fallocate");
    if (zeros) {
        uint8_t *z = calloc(1, 1 << 20);
        for (uint64_t at = 0; at < length; at += 1 << 20)
            if (pwrite(file, z, 1 << 20, (off_t)at) != 1 << 20) fail("pwrite");
        free(z);
    }
    if (fsync(file)) fail("fsync");
    if (zeros) {
        close(file);
        file = open(path, O_RDWR | O_DIRECT | O_DSYNC);
        if (file < 0) fail("O_DIRECT");
    }
}

static int append(const char *mode, char **v) {
    size = (uint32_t)atoi(v[1]);
    producers = atoi(v[2]);
    depth = atoi(v[3]);
    length = strtoull(v[4], NULL, 10);
    whole = (HEADER + sizeof node + size + 7) & ~(size_t)7;
    body = malloc(size);
    memset(body, 'r', size);
    if (producers < 1 || producers > MOST || depth < 1 || whole * (size_t)depth * (size_t)producers > QUEUE || whole > 1 << 20) return 2;
    for (int i = 0; i < producers; i++) meters[i].took = malloc(KEPT * sizeof(uint64_t));
    int flight = strcmp(mode, "flight") == 0, group = strcmp(mode, "group") == 0, buffer = strcmp(mode, "buffer") == 0;
    make_file(v[0], flight);
    pthread_t other;
    filling = malloc(QUEUE);
    writing = malloc(QUEUE);
    if (group && pthread_create(&other, NULL, commit, NULL)) fail("thread");
    if ((buffer || strcmp(mode, "writes") == 0) && pthread_create(&other, NULL, sync_each_second, NULL)) fail("thread");
    puts("ready");
    fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) {
        double before = cpu();
        uint64_t began = now();
        until = began + strtoull(line, NULL, 10) * 1000000u;
        if (group) all_threads(produce);
        else if (flight) all_threads(fly);
        else if (strcmp(mode, "always") == 0) always();
        else each_second(buffer ? BUFFER : 1);
        uint64_t ended = now();
        answer(began, ended, cpu() - before);
    }
    unlink(v[0]);
    return 0;
}

// The journal's own files: the sum, the chain and the position of each record. Stops where one is not valid.
static uint64_t scan_file(const char *path, uint8_t *window) {
    int fd = open(path, O_RDONLY);
    uint64_t records = 0, at = SEGMENT, from = 0, last;
    size_t have = 0;
    struct stat state;
    if (fd < 0 || fstat(fd, &state) || pread(fd, window, SEGMENT, 0) != SEGMENT) fail(path);
    uint32_t previous;
    memcpy(&previous, window + 124, 4);
    memcpy(&last, window + 48, 8);
    last--;
    while (at + HEADER <= (uint64_t)state.st_size) {
        if (at + HEADER > from + have) {
            have = (size_t)pread(fd, window, WINDOW, (off_t)at);
            from = at;
            if (have < HEADER) break;
        }
        const uint8_t *record = window + (at - from);
        header h;
        memcpy(&h, record, HEADER);
        size_t n = (HEADER + h.node + (size_t)h.length + 7) & ~(size_t)7;
        if (h.previous != previous || h.length > WINDOW - HEADER - 64 || h.position < last || h.position > last + 1) break;
        if (at + n > from + have) {
            have = (size_t)pread(fd, window, WINDOW, (off_t)at);
            from = at;
            record = window;
            if (have < n) break;
        }
        if (crc(record + 4, n - 4) != h.sum) break;
        records += h.kind == 1;
        previous = h.sum;
        last = h.position;
        at += n;
    }
    close(fd);
    return records;
}

static int scan(int count, char **files) {
    uint8_t *window = malloc(WINDOW);
    depth = 1;
    puts("ready");
    fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) {
        double before = cpu();
        uint64_t began = now();
        for (int i = 0; i < count; i++) meters[0].records += scan_file(files[i], window);
        uint64_t ended = now();
        answer(began, ended, cpu() - before);
    }
    return 0;
}

static volatile int going;
static volatile uint64_t rewritten;
static const char *rewrite_path;

static void *write_anew(void *none) {
    uint8_t *piece = malloc(REWRITE);
    memset(piece, 1, REWRITE);
    while (1) {
        int fd = open(rewrite_path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        if (fd < 0) fail(rewrite_path);
        for (uint64_t at = 0; at < length; at += REWRITE) {
            while (!going) usleep(200);
            if (pwrite(fd, piece, REWRITE, (off_t)at) != REWRITE || fdatasync(fd)) fail("rewrite");
            rewritten += REWRITE;
        }
        close(fd);
    }
    return none;
}

static int rewrite(char **v) {
    pthread_t thread;
    rewrite_path = v[0];
    length = strtoull(v[1], NULL, 10);
    if (pthread_create(&thread, NULL, write_anew, NULL)) fail("thread");
    puts("ready");
    fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) {
        uint64_t before = rewritten;
        going = line[0] == 'g';
        if (going) while (rewritten == before) usleep(100);   // it is at it before anybody measures beside it
        printf("%llu 0 0 0 0 0\n", (unsigned long long)rewritten);
        fflush(stdout);
    }
    unlink(rewrite_path);
    return 0;
}

int main(int argc, char **argv) {
    if (argc >= 3 && strcmp(argv[1], "scan") == 0) return scan(argc - 2, argv + 2);
    if (argc == 4 && strcmp(argv[1], "rewrite") == 0) return rewrite(argv + 2);
    if (argc == 7) return append(argv[1], argv + 2);
    fprintf(stderr, "usage: journal MODE FILE SIZE PRODUCERS DEPTH BYTES | scan FILE... | rewrite FILE BYTES\n");
    return 2;
}
