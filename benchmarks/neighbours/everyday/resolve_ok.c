// Each thread resolves a name, and adds to the count under a lock.
#include <netdb.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int found;
static void *resolve(void *p) {
  struct addrinfo hints, *list = 0;
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(p, "80", &hints, &list))
    return 0;
  int n = 0;
  for (struct addrinfo *a = list; a; a = a->ai_next)
    n++;
  freeaddrinfo(list);
  pthread_mutex_lock(&m);
  found += n;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, resolve, "localhost");
  pthread_create(&b, 0, resolve, "example.org");
  pthread_join(a, 0);
  pthread_join(b, 0);
  return found < 0;
}
