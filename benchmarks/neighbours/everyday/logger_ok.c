// Lines go through a ring of buffers to the thread that writes them.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#define SLOTS 4
static struct { char text[64]; } ring[SLOTS];
static unsigned head, tail;
static int closed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void say(const char *text) {
  pthread_mutex_lock(&m);
  while (head - tail == SLOTS)
    pthread_cond_wait(&changed, &m);
  snprintf(ring[head % SLOTS].text, sizeof ring[0].text, "%s", text);
  head++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
}
static void *writer(void *p) {
  char line[64];
  pthread_mutex_lock(&m);
  for (;;) {
    while (head == tail && !closed)
      pthread_cond_wait(&changed, &m);
    if (head == tail)
      break;
    memcpy(line, ring[tail % SLOTS].text, sizeof line);
    tail++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    fputs(line, stderr);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  say("one");
  say("two");
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
