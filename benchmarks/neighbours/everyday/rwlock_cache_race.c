// A cache counts its hits under the lock for readers.
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int keys[4], hits;
static int find(int k) {
  int found = 0;
  pthread_rwlock_rdlock(&l);
  for (int i = 0; i < 4; i++)
    if (keys[i] == k) {
      hits++; // RACE!
      found = 1;
    }
  pthread_rwlock_unlock(&l);
  return found;
}
static void add(int i, int k) {
  pthread_rwlock_wrlock(&l);
  keys[i & 3] = k;
  pthread_rwlock_unlock(&l);
}
static void *reader(void *p) {
  find(0);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  add(1, 5);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
