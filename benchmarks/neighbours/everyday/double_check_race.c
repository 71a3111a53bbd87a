// The first look at the pointer is a plain one.
#include <pthread.h>
#include <stdlib.h>
struct conf { int port; };
static struct conf *conf;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct conf *get(void) {
  if (!conf) { // RACE!
    pthread_mutex_lock(&m);
    if (!conf) {
      struct conf *c = malloc(sizeof *c);
      if (!c)
        exit(1);
      c->port = 80;
      conf = c; // RACE!
    }
    pthread_mutex_unlock(&m);
  }
  return conf;
}
static void *worker(void *p) { return get()->port == 80 ? p : 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
