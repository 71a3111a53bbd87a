// WANT: bmc:race | bug | nodes with a value of variable size behind them are pushed under a lock, popped without it
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; size_t size; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static void push(const void *v, size_t size) {
  struct node *n = malloc(sizeof *n + size);
  if (!n) return;
  n->size = size;
  memcpy(n + 1, v, size);
  pthread_mutex_lock(&m);
  n->next = head;
  head = n; // RACE!
  pthread_mutex_unlock(&m);
}
static void *producer(void *p) {
  long v = 9;
  push(&v, sizeof v);
  return p;
}
int main(void) {
  pthread_t t;
  int first = 1;
  push(&first, sizeof first);
  pthread_create(&t, 0, producer, 0);
  struct node *n = head; // RACE!
  int got;
  memcpy(&got, n + 1, sizeof got);
  pthread_join(t, 0);
  return got == 0;
}
