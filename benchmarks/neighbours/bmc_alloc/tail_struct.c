// WANT: bmc:race | bug | an object and its private part in one allocation: (struct priv *)(obj + 1)
#include <pthread.h>
#include <stdlib.h>
struct dev { const char *name; size_t priv_size; };
struct priv { int irq, count; };
static void *dev_priv(struct dev *d) { return d + 1; }
static struct dev *dev_alloc(size_t priv_size) {
  struct dev *d = malloc(sizeof *d + priv_size);
  if (!d) return 0;
  d->name = "eth0";
  d->priv_size = priv_size;
  return d;
}
static void *irq(void *p) {
  struct priv *v = dev_priv(p);
  v->count++; // RACE!
  return 0;
}
int main(void) {
  pthread_t t;
  struct dev *d = dev_alloc(sizeof(struct priv));
  if (!d) return 0;
  struct priv *v = dev_priv(d);
  v->irq = 4;
  v->count = 0;
  pthread_create(&t, 0, irq, d);
  v->count++; // RACE!
  pthread_join(t, 0);
  free(d);
  return 0;
}
