// WANT: bmc:race | bug | memset of the trail, whose size is a field, beside a reader of its last byte
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct buf { size_t cap; unsigned char *data; };
static struct buf *buf_new(size_t cap) {
  struct buf *b = malloc(sizeof *b + cap);
  if (!b) return 0;
  b->cap = cap;
  b->data = (unsigned char *)(b + 1);
  return b;
}
static void *wipe(void *p) {
  struct buf *b = p;
  memset(b->data, 0, b->cap); // RACE!
  return 0;
}
int main(void) {
  struct buf *b = buf_new(4);
  pthread_t t;
  if (!b) return 0;
  pthread_create(&t, 0, wipe, b);
  unsigned char last = b->data[b->cap - 1]; // RACE!
  pthread_join(t, 0);
  free(b);
  return last & 0;
}
