/* A Transport worker in C: the C library of a Unix and nothing else, written from PROTOCOL.md alone.
 * build: cc -O2 -o worker worker.c
 * usage: worker [events=10000] [big_mb=5]     started by a main node, for example: buildharness run -- ./worker 100
 * Sends that many log events, the middle one of big_mb megabytes with urgent packets between its chunks, some output and progress,
 * ends the link as the protocol asks, and prints its ledger to stderr. Exit code 0: everything was acknowledged. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { HELLO = 1, WELCOME, REJECT, GOODBYE, ACK, PING, PONG, SET_LEVEL };   /* control packets: lane 0, a map */
enum { LOG_EVENT = 256, OUTPUT, PROGRESS };                                 /* log packets: an array */
enum { CONTROL, URGENT, NORMAL, BULK, MORE = 0x40, MAX_CHUNK = 65536, MAX_PACKET = 16 << 20, INFORMATION = 2, ERROR = 4 };

static int in, out, goodbye;                                                /* of a socket in is out; goodbye: the peer has said it */
static long sent, acked, received, reported, level, most = MAX_PACKET;
static char message[1025];                                                  /* what the peer refused or complained of */

static void end(const char *why) { fprintf(stderr, "ledger: sent=%ld acknowledged=%ld received=%ld end=%s\n", sent, acked, received, why); }
static void fail(const char *why) { end(why), exit(1); }

/* MessagePack: a buffer that grows, and what is written into it. */
typedef struct { uint8_t *at; size_t used, size; } Buffer;
static void put(Buffer *b, const void *bytes, size_t n) {
    while (b->used + n > b->size) if (!(b->at = realloc(b->at, b->size = b->size * 2 + 256))) fail("out of memory");
    memcpy(b->at + b->used, bytes, n), b->used += n;
}
static void raw(Buffer *b, uint64_t value, int bytes) { while (bytes--) { uint8_t one = (uint8_t)(value >> 8 * bytes); put(b, &one, 1); } }
static void head(Buffer *b, uint8_t first, uint64_t value, int bytes) { raw(b, first, 1), raw(b, value, bytes); }
static void nil(Buffer *b) { raw(b, 0xc0, 1); }
static void array(Buffer *b, int n) { raw(b, 0x90 | n, 1); }
static void map(Buffer *b, int n) { raw(b, 0x80 | n, 1); }
static void number(Buffer *b, uint64_t n) { n < 128 ? raw(b, n, 1) : head(b, 0xcf, n, 8); }
static void text(Buffer *b, const char *s) { size_t n = strlen(s); head(b, 0xdb, n, 4), put(b, s, n); }
static void bin(Buffer *b, const void *bytes, size_t n) { head(b, 0xc6, n, 4), put(b, bytes, n); }
static void now(Buffer *b) {                                                /* timestamp 64: 8 bytes of ext type -1 */
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t), head(b, 0xd7, 0xff, 1), raw(b, (uint64_t)t.tv_nsec << 34 | (uint64_t)t.tv_sec, 8);
}

/* 93 | lane byte | cd, type | c6, length | body. Packets count when their last frame is written. */
static void frame(int lane, int type, const uint8_t *body, size_t length, int more) {
    Buffer f = { 0 };
    raw(&f, 0x93, 1), raw(&f, (uint64_t)(lane | (more ? MORE : 0)), 1), head(&f, 0xcd, (uint64_t)type, 2), bin(&f, body, length);
    for (size_t at = 0; at < f.used;) {
        ssize_t n = write(out, f.at + at, f.used - at);
        if (n <= 0) fail("PeerGone");
        at += (size_t)n;
    }
    free(f.at), sent += lane != CONTROL && !more;
}
static void control(int type, const char *key, uint64_t value) {
    Buffer b = { 0 };
    map(&b, 1), text(&b, key), number(&b, value), frame(CONTROL, type, b.at, b.used, 0), free(b.at);
}

/* Reading. What is malformed ends in fail: nothing is read behind `end`. */
typedef struct { const uint8_t *at, *end; } Reader;
static const uint8_t *take(Reader *r, uint64_t n) {
    if (n > (uint64_t)(r->end - r->at)) fail("PacketMalformed");
    return (r->at += n) - n;
}
static uint64_t big(Reader *r, int bytes) { uint64_t n = 0; for (const uint8_t *p = take(r, bytes); bytes--;) n = n << 8 | *p++; return n; }
/* One value: the count of an array (kind 9) or map (8), the length of a text (a), bin (c) or extension (e), a number (0); else kind f. */
static char value(Reader *r, uint64_t *n) {
    uint8_t b = *take(r, 1);
    if (b < 0x80 || b >= 0xe0) return *n = b, '0';
    if (b < 0xa0) return *n = b & 15, b < 0x90 ? '8' : '9';
    if (b < 0xc0) return *n = b & 31, 'a';
    if (b >= 0xc4 && b <= 0xc6) return *n = big(r, 1 << (b - 0xc4)), 'c';
    if (b >= 0xc7 && b <= 0xc9) return *n = big(r, 1 << (b - 0xc7)), take(r, 1), 'e';
    if (b == 0xca || b == 0xcb) return big(r, b == 0xca ? 4 : 8), 'f';
    if (b >= 0xcc && b <= 0xd3) return *n = big(r, 1 << ((b - 0xcc) & 3)), '0';
    if (b >= 0xd4 && b <= 0xd8) return *n = 1u << (b - 0xd4), take(r, 1), 'e';
    if (b >= 0xd9 && b <= 0xdb) return *n = big(r, 1 << (b - 0xd9)), 'a';
    if (b >= 0xdc) return *n = big(r, b & 1 ? 4 : 2), b < 0xde ? '9' : '8';
    return 'f';                                                             /* nil, true, false */
}
static void skip(Reader *r, int depth) {
    uint64_t n = 0;
    char kind = value(r, &n);
    if (depth > 64) fail("PacketMalformed");
    if (strchr("ace", kind)) take(r, n);
    if (strchr("89", kind)) for (n *= kind == '8' ? 2 : 1; n > 0; n--) skip(r, depth + 1);
}
static int readable(int ms) { struct pollfd p = { in, POLLIN, 0 }; return poll(&p, 1, ms) > 0; }
static void exactly(uint8_t *to, size_t n) {
    for (ssize_t got; n > 0; to += got, n -= (size_t)got)                   /* a living peer sends a Ping after 5 s */
        if (!readable(30000) || (got = read(in, to, n)) <= 0) fail("PeerGone");
}

/* Handles one frame: answers control packets, counts and acknowledges the others; unknown control packets are skipped. */
static int handle(void) {
    static uint8_t body[MAX_CHUNK];
    uint8_t h[10];
    exactly(h, 10);
    int lane = h[1] & 3, more = h[1] & MORE, type = h[3] << 8 | h[4];
    uint32_t length = (uint32_t)h[6] << 24 | h[7] << 16 | h[8] << 8 | h[9];
    if (h[0] != 0x93 || h[2] != 0xcd || h[5] != 0xc6 || h[1] & ~(3 | MORE) || !length || length > MAX_CHUNK
        || (lane == CONTROL) != (type < 256) || (more && lane == CONTROL)) fail("FrameCorrupt");
    exactly(body, length);
    received += lane != CONTROL && !more;                                   /* a real worker would handle the packet here */
    if (lane == CONTROL && type <= SET_LEVEL) {
        Reader r = { body, body + length };
        uint64_t pairs = 0, n = 0;
        long id = 0;
        if (value(&r, &pairs) != '8') fail("PacketMalformed");
        for (; pairs > 0; pairs--) {
            char name[32] = "", kind = value(&r, &n);
            if (kind != 'a') fail("PacketMalformed");
            memcpy(name, take(&r, n), n < 31 ? n : 31);
            Reader v = r;
            if ((kind = value(&v, &n)) == '0' && strcmp(name, "id") == 0) id = (long)n;
            if (kind == '0' && strcmp(name, "packets") == 0 && type == ACK) acked = (long)n;
            if (kind == '0' && strcmp(name, "level") == 0) level = (long)n;
            if (kind == '0' && strcmp(name, "maxPacket") == 0) most = (long)n;
            if (kind == 'a' && (strcmp(name, "message") == 0 || strcmp(name, "detail") == 0))
                snprintf(message, sizeof message, "%.*s", (int)n, (const char *)take(&v, n));
            skip(&r, 0);
        }
        if (type == PING) control(PONG, "id", (uint64_t)id);
        goodbye |= type == GOODBYE;
        if (goodbye && message[0]) fail(message);                           /* what this worker did wrong: byte, expected, actual */
    }
    if (goodbye || received - reported >= (readable(0) ? 1024 : 1)) control(ACK, "packets", (uint64_t)(reported = received));
    return type;
}

/* A packet in as many frames as it needs; `between` may send packets of other lanes after each frame but the last. */
static void deliver(int lane, int type, Buffer *b, void (*between)(int)) {
    for (size_t at = 0; at < b->used; at += MAX_CHUNK) {
        int more = at + MAX_CHUNK < b->used;
        frame(lane, type, b->at + at, more ? MAX_CHUNK : b->used - at, more);
        if (more && between) between((int)(at / MAX_CHUNK));
    }
    while (readable(0) && !goodbye) handle();
    free(b->at);
}
static void event(int lane, long of_level, const char *words, long i, void (*between)(int)) {
    Buffer b = { 0 };
    array(&b, 8), now(&b), number(&b, (uint64_t)of_level), text(&b, "polyglot"), number(&b, 0), text(&b, words), nil(&b);
    i < 0 ? nil(&b) : (map(&b, 1), text(&b, "i"), number(&b, (uint64_t)i));
    nil(&b), deliver(lane, LOG_EVENT, &b, between);
}
static void urgent(int i) {
    char words[32];
    if (i % 10 == 0 && level <= ERROR) sprintf(words, "urgent %d", i), event(URGENT, ERROR, words, -1, 0);
}
static void output(int stream, const char *words) {
    Buffer b = { 0 };
    array(&b, 5), now(&b), number(&b, (uint64_t)stream), text(&b, words), raw(&b, 0xc2, 1), nil(&b), deliver(NORMAL, OUTPUT, &b, 0);
}
static void progress(long done, long total) {
    Buffer b = { 0 };
    array(&b, 5), now(&b), number(&b, 1), number(&b, (uint64_t)done), number(&b, (uint64_t)total), text(&b, "events");
    deliver(NORMAL, PROGRESS, &b, 0);
}
static void hello(const char *secret) {
    Buffer b = { 0 };
    uint8_t bytes[32];
    for (int i = 0; i < 32; i++) if (sscanf(secret + 2 * i, "%2hhx", &bytes[i]) != 1) fail("TRANSPORT_SECRET is no secret");
    map(&b, 9), text(&b, "protocol"), text(&b, "transport"), text(&b, "min"), number(&b, 1), text(&b, "max"), number(&b, 1);
    text(&b, "secret"), bin(&b, bytes, 32), text(&b, "node"), text(&b, "c"), text(&b, "pid"), number(&b, (uint64_t)getpid());
    text(&b, "app"), text(&b, "worker.c/1.0"), text(&b, "caps"), array(&b, 0), text(&b, "maxPacket"), number(&b, MAX_PACKET);
    frame(CONTROL, HELLO, b.at, b.used, 0), free(b.at);
}

int main(int argc, char **argv) {
    long events = argc > 1 ? atol(argv[1]) : 10000, size = (argc > 2 ? atol(argv[2]) : 5) * 1000000;
    const char *endpoint = getenv("TRANSPORT_ENDPOINT"), *secret = getenv("TRANSPORT_SECRET"), *path = endpoint ? strchr(endpoint, ':') : 0;
    if (!path || !secret || strlen(secret) != 64) return fprintf(stderr, "worker: a main node starts this program\n"), 1;
    signal(SIGPIPE, SIG_IGN);
    struct stat read_end, write_end;
    unsigned long inodes[2];
    if (sscanf(endpoint, "fd:%d,%d,%lu,%lu", &in, &out, inodes, inodes + 1) == 4) {
        if (fstat(in, &read_end) || fstat(out, &write_end) || read_end.st_ino != inodes[0] || write_end.st_ino != inodes[1])
            fail("these are not the main node's pipes");
    } else {                                                                /* unix:PATH, the ordinary endpoint of a Unix */
        struct sockaddr_un to = { .sun_family = AF_UNIX };
        strncpy(to.sun_path, path + 1, sizeof to.sun_path - 1);
        in = out = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(in, (struct sockaddr *)&to, sizeof to)) fail("cannot connect");
    }
    fcntl(in, F_SETFD, FD_CLOEXEC), fcntl(out, F_SETFD, FD_CLOEXEC);
    hello(secret), unsetenv("TRANSPORT_ENDPOINT"), unsetenv("TRANSPORT_SECRET");   /* our children must not inherit them */
    if (handle() != WELCOME) return fprintf(stderr, "rejected: %s\n", message), 1;
    char *words = malloc((size_t)(size = size < most - 1000 ? size : most - 1000) + 64);
    output(1, "hello from C: \u00fc \U0001f422");
    for (long i = 0; i < events; i++) {
        if (level <= INFORMATION && !goodbye) {                             /* after the peer's Goodbye only what had begun is sent */
            int n = sprintf(words, "event %ld ", i);
            if (i == events / 2) memset(words + n, 'x', (size_t)size), words[n + size] = 0;
            event(NORMAL, INFORMATION, words, i, urgent);
        }
        if (i % 1000 == 999) progress(i + 1, events);
    }
    output(2, "done");
    Buffer b = { 0 };
    map(&b, 2), text(&b, "packets"), number(&b, (uint64_t)sent), text(&b, "reason"), text(&b, ""), frame(CONTROL, GOODBYE, b.at, b.used, 0);
    while (!goodbye || acked < sent) handle();                              /* the peer's Ack, then its Goodbye */
    in == out ? shutdown(out, SHUT_WR) : close(out);                        /* both have said Goodbye: the streams end */
    readable(5000), end("clean");
    return 0;
}
