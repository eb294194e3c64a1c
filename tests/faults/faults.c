// Library for LD_PRELOAD that makes the k-th system call on files below one folder fail, ends the
// process there, or slows down every opening of a file. Environment variables set what it does:
//
//   HEED_FAULT_FOLDER  absolute path; only calls on files in it, or on it, count
//   HEED_FAULT_AT      k, from 1; 0: no call fails
//   HEED_FAULT         effect at call k: an errno as a number; "kill": the process ends there,
//                      after half of a write; "full": this call and all later ones that need
//                      space fail
//   HEED_FAULT_DELAY   delay of every opening of a file, in microseconds
//   HEED_FAULT_LOG     a file that gets the name of every counted call, a line each
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }
#define NEXT(name) ((typeof(&name))next(#name))

static long number(const char *variable) {
  const char *value = getenv(variable);
  return value ? atol(value) : 0;
}

static int below(const char *path) {
  const char *folder = getenv("HEED_FAULT_FOLDER");
  if (!folder) return 0;
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int descriptor_below(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof(path) - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return below(path);
}

static int path_below(int folder, const char *path) {
  char full[PATH_MAX];
  if (strncmp(path, "/proc/self/fd/", 14) == 0) return descriptor_below(atoi(path + 14));
  if (path[0] == '/') return below(path);
  if (folder != AT_FDCWD) return descriptor_below(folder);
  if (syscall(SYS_getcwd, full, sizeof(full)) < 0) return 0;
  strncat(full, "/", sizeof(full) - strlen(full) - 1);
  strncat(full, path, sizeof(full) - strlen(full) - 1);
  return below(full);
}

static void record(const char *call) {
  const char *log = getenv("HEED_FAULT_LOG");
  if (!log) return;
  char line[64];
  const int length = snprintf(line, sizeof(line), "%s\n", call);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, length);
  syscall(SYS_close, file);
}

enum Effect { kGoesOn, kFails, kEnds };

// Counts a call; sets errno if it returns kFails. space: true if the call needs disk space.
static enum Effect count(const char *call, int space) {
  const int saved = errno;
  record(call);
  const long now = atomic_fetch_add(&calls, 1) + 1, at = number("HEED_FAULT_AT");
  const char *what = getenv("HEED_FAULT");
  errno = saved;
  if (at == 0 || !what) return kGoesOn;
  if (strcmp(what, "full") == 0) {
    if (now < at || !space) return kGoesOn;
    errno = ENOSPC;
    return kFails;
  }
  if (now != at) return kGoesOn;
  if (strcmp(what, "kill") == 0) return kEnds;
  errno = atoi(what);
  return kFails;
}

static void end(void) { kill(getpid(), SIGKILL); }

static void wait_a_little(void) {
  const long delay = number("HEED_FAULT_DELAY");
  if (delay > 0) usleep((useconds_t)delay);
}

// Makes the call fail with `failure`, or continues with the real call.
#define FAULT(call, is_counted, space, failure)   \
  do {                                            \
    if (is_counted) {                             \
      const enum Effect effect = count(call, space); \
      if (effect == kEnds) end();                 \
      if (effect == kFails) return failure;       \
    }                                             \
  } while (0)

static int makes_file(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

#define OPENING(name, folder, path, flags)                                  \
  do {                                                                      \
    if (path_below(folder, path)) {                                         \
      wait_a_little();                                                      \
      FAULT(name, 1, makes_file(flags), -1);           \
    }                                                                       \
  } while (0)

#define MODE_OF(flags)                                        \
  mode_t mode = 0;                                            \
  if (makes_file(flags)) {                      \
    va_list arguments;                                        \
    va_start(arguments, flags);                               \
    mode = va_arg(arguments, mode_t);                         \
    va_end(arguments);                                        \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  OPENING("open", AT_FDCWD, path, flags);
  return NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  OPENING("open", AT_FDCWD, path, flags);
  return NEXT(open64)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  OPENING("open", folder, path, flags);
  return NEXT(openat)(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  OPENING("open", folder, path, flags);
  return NEXT(openat64)(folder, path, flags, mode);
}

DIR *opendir(const char *path) {
  FAULT("opendir", path_below(AT_FDCWD, path), 0, NULL);
  return NEXT(opendir)(path);
}

FILE *fopen(const char *path, const char *mode) {
  FAULT("fopen", path_below(AT_FDCWD, path), mode[0] != 'r', NULL);
  return NEXT(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  FAULT("fopen", path_below(AT_FDCWD, path), mode[0] != 'r', NULL);
  return NEXT(fopen64)(path, mode);
}

ssize_t read(int descriptor, void *bytes, size_t size) {
  FAULT("read", descriptor_below(descriptor), 0, -1);
  return NEXT(read)(descriptor, bytes, size);
}

ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset) {
  FAULT("read", descriptor_below(descriptor), 0, -1);
  return NEXT(pread64)(descriptor, bytes, size, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
  FAULT("read", descriptor_below(descriptor), 0, -1);
  return NEXT(pread)(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  if (descriptor_below(descriptor)) {
    const enum Effect effect = count("write", 1);
    if (effect == kFails) return -1;
    if (effect == kEnds) {
      NEXT(write)(descriptor, bytes, size / 2);
      end();
    }
  }
  return NEXT(write)(descriptor, bytes, size);
}

ssize_t writev(int descriptor, const struct iovec *parts, int number_of_parts) {
  FAULT("write", descriptor_below(descriptor), 1, -1);
  return NEXT(writev)(descriptor, parts, number_of_parts);
}

int fsync(int descriptor) {
  FAULT("fsync", descriptor_below(descriptor), 1, -1);
  return NEXT(fsync)(descriptor);
}

int flock(int descriptor, int operation) {
  FAULT("flock", descriptor_below(descriptor), 0, -1);
  return NEXT(flock)(descriptor, operation);
}

int fchmod(int descriptor, mode_t mode) {
  FAULT("fchmod", descriptor_below(descriptor), 0, -1);
  return NEXT(fchmod)(descriptor, mode);
}

int ftruncate(int descriptor, off_t size) {
  FAULT("ftruncate", descriptor_below(descriptor), 0, -1);
  return NEXT(ftruncate)(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) {
  FAULT("ftruncate", descriptor_below(descriptor), 0, -1);
  return NEXT(ftruncate64)(descriptor, size);
}

int rename(const char *from, const char *to) {
  FAULT("rename", path_below(AT_FDCWD, to), 1, -1);
  return NEXT(rename)(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  FAULT("rename", path_below(to_folder, to), 1, -1);
  return NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode) {
  FAULT("mkdir", path_below(AT_FDCWD, path), 1, -1);
  return NEXT(mkdir)(path, mode);
}

int symlink(const char *target, const char *path) {
  FAULT("symlink", path_below(AT_FDCWD, path), 1, -1);
  return NEXT(symlink)(target, path);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  FAULT("link", path_below(to_folder, to), 1, -1);
  return NEXT(linkat)(from_folder, from, to_folder, to, flags);
}

int unlink(const char *path) {
  FAULT("unlink", path_below(AT_FDCWD, path), 0, -1);
  return NEXT(unlink)(path);
}

int unlinkat(int folder, const char *path, int flags) {
  FAULT("unlink", path_below(folder, path), 0, -1);
  return NEXT(unlinkat)(folder, path, flags);
}

int rmdir(const char *path) {
  FAULT("rmdir", path_below(AT_FDCWD, path), 0, -1);
  return NEXT(rmdir)(path);
}

int remove(const char *path) {
  FAULT("remove", path_below(AT_FDCWD, path), 0, -1);
  return NEXT(remove)(path);
}
