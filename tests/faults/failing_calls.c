// A library for LD_PRELOAD in which one call of the system fails.
//   TENPIN_FAIL=<call>:<k>:<errno>[:on]   the k-th call fails, with `on` also all after it; k = 0: none
//   TENPIN_FAIL_COUNT=<file>              the number of such calls is written there at the end
// Calls: write (also pwrite and writev, to regular files only), sync, rename, resize, malloc.
// Allocations are those of the program after main() has begun: static objects of the library that parses
// options allocate before, and some libraries in C (HDF5, GnuTLS) crash if an allocation of theirs fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);

static char call[16];
static long fails_at;
static int error_number;
static bool fails_on;
static atomic_long count;

__attribute__((constructor)) static void read_settings(void) {
  const char* text = getenv("TENPIN_FAIL");
  char on[4] = "";
  char name[16] = "";
  if (text == NULL || sscanf(text, "%15[a-z]:%ld:%d:%3s", name, &fails_at, &error_number, on) < 3) return;
  fails_on = strcmp(on, "on") == 0;
  strcpy(call, name);
}

__attribute__((destructor)) static void write_count(void) {
  const char* file = getenv("TENPIN_FAIL_COUNT");
  const long total = count;
  call[0] = '\0';
  FILE* stream = file != NULL ? fopen(file, "w") : NULL;
  if (stream == NULL) return;
  fprintf(stream, "%ld\n", total);
  fclose(stream);
}

// Counts a call; true if it is the one that fails.
static bool fails(const char* name) {
  if (strcmp(call, name) != 0) return false;
  const long k = ++count;
  if (fails_at == 0 || k < fails_at || (k > fails_at && !fails_on)) return false;
  errno = error_number;
  return true;
}

static bool is_regular(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void* bytes, size_t size) {
  return is_regular(fd) && fails("write") ? -1 : NEXT(write)(fd, bytes, size);
}
ssize_t writev(int fd, const struct iovec* parts, int n) {
  return is_regular(fd) && fails("write") ? -1 : NEXT(writev)(fd, parts, n);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  return fails("write") ? -1 : NEXT(pwrite)(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  return fails("write") ? -1 : NEXT(pwrite64)(fd, bytes, size, at);
}
int fsync(int fd) { return fails("sync") ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return fails("sync") ? -1 : NEXT(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return fails("resize") ? -1 : NEXT(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fails("resize") ? -1 : NEXT(ftruncate64)(fd, size); }
int rename(const char* from, const char* to) { return fails("rename") ? -1 : NEXT(rename)(from, to); }
int renameat2(int a, const char* from, int b, const char* to, unsigned flags) {
  return fails("rename") ? -1 : NEXT(renameat2)(a, from, b, to, flags);
}

static atomic_bool has_begun;  // the first call of main() is signal()

void (*signal(int number, void (*handler)(int)))(int) {
  has_begun = true;
  return NEXT(signal)(number, handler);
}

// Called by the program, or for it by the operator new of the C++ library?
static bool is_ours(const void* caller) {
  Dl_info info;
  return has_begun && strcmp(call, "malloc") == 0 && dladdr(caller, &info) != 0 && info.dli_fname != NULL &&
         (strstr(info.dli_fname, "tenpin") != NULL || strstr(info.dli_fname, "libstdc++") != NULL);
}
#define ALLOCATION_FAILS() (is_ours(__builtin_return_address(0)) && fails("malloc"))

void* malloc(size_t size) { return ALLOCATION_FAILS() ? NULL : __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return ALLOCATION_FAILS() ? NULL : __libc_calloc(n, size); }
void* realloc(void* memory, size_t size) { return ALLOCATION_FAILS() ? NULL : __libc_realloc(memory, size); }
