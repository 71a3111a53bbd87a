// The child changes its own copy, the parent waits for it.
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
static int value = 1;
int main(void) {
  int status;
  pid_t p = fork();
  if (p < 0)
    return 1;
  if (p == 0) {
    value = 2;
    _exit(0);
  }
  waitpid(p, &status, 0);
  return value != 1;
}
