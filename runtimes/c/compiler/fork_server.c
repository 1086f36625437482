/* A fork server inside the compiler, as fuzzers have it inside their targets: the compiler is loaded and linked once, and each compilation is a fork of it. Most
 * of the time that a small file needs is the start of the compiler.
 *
 * It is preloaded, and takes the place of `main`. Its standard input is the socket on which requests come: a length and, in that many bytes, the numbers
 * of two descriptors of the parent (messages and status), how many arguments and variables follow, and as strings the directory, the arguments and the variables.
 * The answer is the process of the compiler; when that ends, its status is written to the second descriptor.
 *
 * Invariant. A compilation has the directory, arguments and variables of its request, and nothing of ours but the code that was loaded. Whoever asked has
 * ended when the socket has: then nothing goes on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);

struct request {
  uint32_t messages, status, arguments, variables;
};

struct job {
  pid_t process;
  int status;
};

static main_function *compiler;
static struct job *jobs;
static size_t n_jobs, room;
static sigset_t before;
static int ends;

static int receive(int from, void *to, size_t size) {
  char *at = to;
  while (size) {
    ssize_t got = read(from, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    at += got;
    size -= (size_t)got;
  }
  return 1;
}

static int of_parent(uint32_t descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%u", (int)getppid(), descriptor);
  return open(path, O_WRONLY | O_CLOEXEC);
}

static void leave(void) {
  for (size_t i = 0; i < n_jobs; i++) kill(jobs[i].process, SIGKILL);
  _exit(0);
}

/* Takes `count` strings; a null pointer follows them. */
static char **strings(char **at, const char *end, uint32_t count) {
  char **out = calloc((size_t)count + 1, sizeof *out);
  for (uint32_t i = 0; out && i < count; i++) {
    size_t length = strnlen(*at, (size_t)(end - *at));
    if (*at + length == end) return NULL;
    out[i] = *at;
    *at += length + 1;
  }
  return out;
}

/* The compiler in a process of its own: it goes on as if it had been started. */
static int compile(int messages, int number, char **arguments, char **variables, const char *directory) {
  if (chdir(directory) || dup2(messages, 2) < 0) _exit(127);
  signal(SIGINT, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  environ = variables;
  return compiler(number, arguments, variables);
}

static void reap(void) {
  struct signalfd_siginfo info;
  int status;
  pid_t process;
  receive(ends, &info, sizeof info);
  while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
    for (size_t i = 0; i < n_jobs; i++) {
      if (jobs[i].process != process) continue;
      int32_t word = status;
      if (write(jobs[i].status, &word, sizeof word) < 0) { /* Nobody waits for it. */
      }
      close(jobs[i].status);
      jobs[i] = jobs[--n_jobs];
      break;
    }
  }
}

/* In the process of a compilation, its result. Elsewhere it does not return. */
static int serve(int argc, char **argv, char **envp) {
  (void)argc, (void)argv, (void)envp;
  int socket = fcntl(0, F_DUPFD_CLOEXEC, 3), nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (socket < 0 || nothing < 0) _exit(127);
  for (int fd = 0; fd < 3; fd++) dup2(nothing, fd);
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, &before);
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  ends = signalfd(-1, &ended, SFD_CLOEXEC);
  for (;;) {
    struct pollfd both[2] = {{socket, POLLIN, 0}, {ends, POLLIN, 0}};
    if (poll(both, 2, -1) < 0 && errno != EINTR) leave();
    if (both[1].revents) reap();
    if (!both[0].revents) continue;
    uint32_t size;
    if (!receive(socket, &size, sizeof size) || size < sizeof(struct request)) leave();
    char *text = malloc(size);
    if (!text || !receive(socket, text, size)) leave();
    struct request asked;
    memcpy(&asked, text, sizeof asked);
    char *at = text + sizeof asked, *end = text + size;
    char **directory = strings(&at, end, 1);
    char **arguments = directory ? strings(&at, end, asked.arguments) : NULL;
    char **variables = arguments ? strings(&at, end, asked.variables) : NULL;
    int messages = of_parent(asked.messages), status = of_parent(asked.status);
    if (n_jobs == room) jobs = realloc(jobs, (room = 2 * room + 8) * sizeof *jobs);
    if (!variables || messages < 0 || status < 0 || !jobs) leave();
    pid_t process = fork();
    if (process < 0) leave();
    if (!process) return compile(messages, (int)asked.arguments, arguments, variables, directory[0]);
    jobs[n_jobs++] = (struct job){process, status};
    close(messages);
    free(directory), free(arguments), free(variables), free(text);
    int32_t answer = process;
    if (write(socket, &answer, sizeof answer) != sizeof answer) leave();
  }
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*linker)(void), void *stack) {
  int (*start)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  compiler = main;
  return start(serve, argc, argv, init, fini, linker, stack);
}
