// A pool of two workers takes tasks from a queue, and is stopped under its lock.
#include <pthread.h>
#include <stdlib.h>
struct task { struct task *next; void (*run)(void *); void *arg; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct task *queue;
static int stop;
static void *worker(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!queue && !stop)
      pthread_cond_wait(&c, &m);
    struct task *t = queue;
    if (!t) {
      pthread_mutex_unlock(&m);
      return p;
    }
    queue = t->next;
    pthread_mutex_unlock(&m);
    t->run(t->arg);
    free(t);
  }
}
static void submit(void (*run)(void *), void *arg) {
  struct task *t = malloc(sizeof *t);
  if (!t)
    exit(1);
  t->run = run;
  t->arg = arg;
  pthread_mutex_lock(&m);
  t->next = queue;
  queue = t;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}
static void twice(void *p) { *(int *)p *= 2; }
int main(void) {
  pthread_t w[2];
  static int a = 1, b = 2;
  for (int i = 0; i < 2; i++)
    pthread_create(&w[i], 0, worker, 0);
  submit(twice, &a);
  submit(twice, &b);
  pthread_mutex_lock(&m);
  stop = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++)
    pthread_join(w[i], 0);
  return a + b != 6;
}
