// main looks at the size of the text while the other thread has it written.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static char *text;
static size_t size;
static FILE *out;
static void *worker(void *p) {
  fputs("line", out);
  fflush(out);
  return p;
}
int main(void) {
  pthread_t t;
  out = open_memstream(&text, &size);
  if (!out)
    return 1;
  pthread_create(&t, 0, worker, 0);
  int early = size > 0; // RACE!
  pthread_join(t, 0);
  fclose(out);
  free(text);
  return early;
}
