// Parent and child count under a mutex in memory that they share.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
struct shared { pthread_mutex_t m; int n; };
int main(void) {
  pthread_mutexattr_t a;
  int how = PROT_READ | PROT_WRITE;
  struct shared *s = mmap(0, sizeof *s, how, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED)
    return 1;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&s->m, &a);
  pid_t p = fork();
  if (p < 0)
    return 1;
  pthread_mutex_lock(&s->m);
  s->n++;
  pthread_mutex_unlock(&s->m);
  if (p == 0)
    _exit(0);
  waitpid(p, 0, 0);
  return 0;
}
