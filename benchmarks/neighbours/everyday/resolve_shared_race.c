// Two threads change an address in the list that main got.
#include <netdb.h>
#include <pthread.h>
#include <sys/socket.h>
static struct addrinfo *list;
static void *worker(void *p) {
  if (list->ai_addr)
    list->ai_addr->sa_family++; // RACE!
  return p;
}
int main(void) {
  pthread_t a, b;
  if (getaddrinfo("localhost", "80", 0, &list))
    return 1;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  freeaddrinfo(list);
  return 0;
}
