// A destructor that sets the value again is called again, four times in all.
#include <pthread.h>
extern void reach_error(void);
static pthread_key_t key;
static int calls;
static void again(void *p) {
  calls++;
  pthread_setspecific(key, p);
}
static void *worker(void *p) {
  pthread_setspecific(key, &key);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, again);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  if (calls == 4)
    reach_error();
  return 0;
}
