/* nosock [ERRNO] COMMAND...: runs a command as sandboxes do that forbid sockets: socket, socketpair, bind, listen, accept, connect,
 * shutdown, sendto, getsockopt, setsockopt and io_uring answer EPERM, or another error (seccomp).
 * build: cc -o nosock nosock.c */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSE(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error)

int main(int count, char **words) {
    unsigned error = count > 1 && atoi(words[1]) > 0 ? (unsigned)atoi(words[1]) : EPERM;
    words += count > 1 && atoi(words[1]) > 0;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSE(socket), REFUSE(socketpair), REFUSE(bind), REFUSE(listen), REFUSE(accept), REFUSE(accept4), REFUSE(connect),
        REFUSE(shutdown), REFUSE(sendto), REFUSE(getsockopt), REFUSE(setsockopt),
        REFUSE(io_uring_setup), REFUSE(io_uring_enter), REFUSE(io_uring_register),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    if (!words[1]) return fprintf(stderr, "nosock COMMAND...\n"), 125;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return perror("nosock"), 125;
    execvp(words[1], words + 1);
    return perror(words[1]), 126;
}
