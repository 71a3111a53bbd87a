// Parent and child count in memory that they share, without a lock.
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  int how = PROT_READ | PROT_WRITE;
  int *n = mmap(0, sizeof *n, how, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (n == MAP_FAILED)
    return 1;
  pid_t p = fork();
  if (p == 0) {
    ++*n; // RACE!
    _exit(0);
  }
  ++*n; // RACE!
  waitpid(p, 0, 0);
  return 0;
}
