// WANT: verify | race-free | the destructor locks, main reads after the joins
// WANT: no-data-race | TRUE | the same
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ended, token;
static void bye(void *p) {
  pthread_mutex_lock(&m);
  ended++; // NORACE
  pthread_mutex_unlock(&m);
}
static void make_key(void) { pthread_key_create(&key, bye); }
static void *worker(void *p) {
  pthread_once(&once, make_key);
  pthread_setspecific(key, &token);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return ended; // NORACE
}
