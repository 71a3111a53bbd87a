// WANT: verify | racy | the comparison function of bsearch counts, lookups run in two threads
// WANT: no-data-race | FALSE | the same
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct word { const char *key; int val; };
static const struct word words[] = {{"and", 1}, {"for", 2}, {"the", 3}};
static unsigned long probes;
static int by_key(const void *k, const void *e) {
  probes++; // RACE!
  return strcmp(k, ((const struct word *)e)->key);
}
static const struct word *find(const char *k) {
  return bsearch(k, words, sizeof words / sizeof *words, sizeof *words, by_key);
}
static void *worker(void *p) {
  find("the");
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  const struct word *w = find("for");
  pthread_join(t, 0);
  return w ? 0 : 1;
}
