// WANT: no-data-race | TRUE | a semaphore, not a mutex, is given by one thread and taken by another
// WANT: verify | race-free | the same
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static int result;
static void *worker(void *p) {
  result = 42; // NORACE
  sem_post(&ready);
  return p;
}
int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, 0, worker, 0);
  sem_wait(&ready);
  int r = result; // NORACE
  pthread_join(t, 0);
  sem_destroy(&ready);
  return r != 42;
}
