// WANT: verify | not race-free | an error path unlocks twice: the second unlock releases another thread's lock
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int used, limit = 0;
static int reserve(int n) {
  pthread_mutex_lock(&m);
  if (used + n > limit) {
    pthread_mutex_unlock(&m);
    usleep(1000);
    goto out;
  }
  used += n;
out:
  pthread_mutex_unlock(&m);
  return 0;
}
static void *client(void *p) {
  reserve(1);
  return p;
}
static void *owner(void *p) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < 50; i++) {
    used++; // RACE!
    usleep(100);
  }
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, client, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_create(&c, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
