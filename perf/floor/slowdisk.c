// A disk that is far away: a folder as a file system that answers each request after so many milliseconds, as many at once as come. What is
// cached is what a network file system caches: names and attributes for a second. A close waits for its answer.
//
//   slowdisk MILLISECONDS FOLDER MOUNTPOINT     says "mounted", and stays until it is unmounted (umount MOUNTPOINT)
#define FUSE_USE_VERSION 312
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int root;
static struct timespec far_away;

static int answer(long result) {
    int error = errno;
    nanosleep(&far_away, NULL);
    return result < 0 ? -error : (int)result;
}

static const char *at(const char *path) { return path[1] ? path + 1 : "."; }

static int get(const char *p, struct stat *s, struct fuse_file_info *f) {
    return answer(f ? fstat((int)f->fh, s) : fstatat(root, at(p), s, AT_SYMLINK_NOFOLLOW));
}

static int look(const char *p, char *to, size_t size) {
    ssize_t k = readlinkat(root, at(p), to, size - 1);
    if (k >= 0) to[k] = 0;
    return answer(k < 0 ? -1 : 0);
}

static int list(const char *p, void *to, fuse_fill_dir_t add, off_t o, struct fuse_file_info *f, enum fuse_readdir_flags k) {
    (void)o, (void)f, (void)k;
    int fd = openat(root, at(p), O_RDONLY | O_DIRECTORY);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) return answer(-1);
    for (struct dirent *e; (e = readdir(d));) {
        struct stat s = { .st_ino = e->d_ino, .st_mode = (mode_t)e->d_type << 12 };
        add(to, e->d_name, &s, 0, 0);
    }
    closedir(d);
    return answer(0);
}

static int done(struct fuse_file_info *f, int fd) { f->fh = (uint64_t)fd; return answer(fd < 0 ? -1 : 0); }
static int create(const char *p, mode_t m, struct fuse_file_info *f) { return done(f, openat(root, at(p), f->flags | O_CREAT, m)); }
static int open_(const char *p, struct fuse_file_info *f) { return done(f, openat(root, at(p), f->flags)); }
static int read_(const char *p, char *b, size_t n, off_t o, struct fuse_file_info *f) { (void)p; return answer(pread((int)f->fh, b, n, o)); }
static int write_(const char *p, const char *b, size_t n, off_t o, struct fuse_file_info *f) { (void)p; return answer(pwrite((int)f->fh, b, n, o)); }
static int flush(const char *p, struct fuse_file_info *f) { (void)p, (void)f; return answer(0); }
static int release(const char *p, struct fuse_file_info *f) { (void)p; return close((int)f->fh); }
static int sync_(const char *p, int d, struct fuse_file_info *f) { (void)p, (void)d; return answer(fsync((int)f->fh)); }
static int makedir(const char *p, mode_t m) { return answer(mkdirat(root, at(p), m)); }
static int unlink_(const char *p) { return answer(unlinkat(root, at(p), 0)); }
static int rmdir_(const char *p) { return answer(unlinkat(root, at(p), AT_REMOVEDIR)); }
static int symlink_(const char *to, const char *p) { return answer(symlinkat(to, root, at(p))); }
static int link_(const char *a, const char *b) { return answer(linkat(root, at(a), root, at(b), 0)); }
static int rename_(const char *a, const char *b, unsigned k) { return answer(renameat2(root, at(a), root, at(b), k)); }
static int chmod_(const char *p, mode_t m, struct fuse_file_info *f) { return answer(f ? fchmod((int)f->fh, m) : fchmodat(root, at(p), m, 0)); }
static int chown_(const char *p, uid_t u, gid_t g, struct fuse_file_info *f) {
    return answer(f ? fchown((int)f->fh, u, g) : fchownat(root, at(p), u, g, AT_SYMLINK_NOFOLLOW));
}
static int cut(const char *p, off_t n, struct fuse_file_info *f) {
    int fd = f ? (int)f->fh : openat(root, at(p), O_WRONLY);
    int done = answer(ftruncate(fd, n));
    return f || close(fd) == 0 ? done : done;
}
static int times(const char *p, const struct timespec t[2], struct fuse_file_info *f) {
    return answer(f ? futimens((int)f->fh, t) : utimensat(root, at(p), t, AT_SYMLINK_NOFOLLOW));
}

static void *begin(struct fuse_conn_info *c, struct fuse_config *k) {
    c->want |= FUSE_CAP_PARALLEL_DIROPS;
    k->use_ino = 1;
    k->entry_timeout = k->attr_timeout = 1;
    puts("mounted");
    fflush(stdout);
    return NULL;
}

int main(int count, char **words) {
    if (count != 4) return fprintf(stderr, "slowdisk MILLISECONDS FOLDER MOUNTPOINT\n"), 2;
    far_away.tv_nsec = (long)(atof(words[1]) * 1e6);
    root = open(words[2], O_RDONLY | O_DIRECTORY);
    if (root < 0) return perror(words[2]), 2;
    static const struct fuse_operations all = { .init = begin, .getattr = get, .readlink = look, .readdir = list, .create = create,
        .open = open_, .read = read_, .write = write_, .flush = flush, .release = release, .fsync = sync_, .mkdir = makedir,
        .unlink = unlink_, .rmdir = rmdir_, .symlink = symlink_, .link = link_, .rename = rename_, .chmod = chmod_, .chown = chown_,
        .truncate = cut, .utimens = times };
    struct fuse_args own = FUSE_ARGS_INIT(0, NULL);
    fuse_opt_add_arg(&own, words[0]);
    fuse_opt_add_arg(&own, "-ofsname=slowdisk");
    struct fuse *disk = fuse_new(&own, &all, sizeof all, NULL);
    struct fuse_loop_config *many = fuse_loop_cfg_create();
    fuse_loop_cfg_set_max_threads(many, 64);
    fuse_loop_cfg_set_idle_threads(many, 64);
    return !disk || fuse_mount(disk, words[3]) != 0 || fuse_loop_mt(disk, many) != 0;
}
