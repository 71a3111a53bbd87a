// WANT: bmc:race | no bug | the same, the thread is joined before the private part is used
#include <pthread.h>
#include <stdlib.h>
struct dev { const char *name; size_t priv_size; };
struct priv { int irq, count; };
static struct dev *dev_alloc(size_t priv_size) {
  struct dev *d = malloc(sizeof *d + priv_size);
  if (d) d->priv_size = priv_size;
  return d;
}
static void *irq(void *p) {
  struct priv *v = (struct priv *)((struct dev *)p + 1);
  v->count = 1; // NORACE
  return 0;
}
int main(void) {
  pthread_t t;
  struct dev *d = dev_alloc(sizeof(struct priv));
  if (!d) return 0;
  if (pthread_create(&t, 0, irq, d)) return 0;
  pthread_join(t, 0);
  int c = ((struct priv *)(d + 1))->count; // NORACE
  free(d);
  return c != 1;
}
