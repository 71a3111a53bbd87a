#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#define N 4
int g; int nthreads = 3;
pthread_t ts[N];
void *w(void *a) { g++; return 0; }
void *v(void *a) { g++; return 0; }
struct wk { int id; pthread_t tid; } wks[N];
int main(int argc, char **argv) {
  pthread_t t1, t2;
  pthread_t loc[N];
  g = 1;
  if (pthread_create(&t1, NULL, w, NULL)) { g = 2; abort(); }
  if (pthread_create(&t2, NULL, v, NULL) != 0) { perror("x"); exit(1); }
  g = 3;
  pthread_join(t1, NULL);
  g = 4;
  pthread_join(t2, NULL);
  g = 5;
  for (int i = 0; i < N; i++) {
    int rc = pthread_create(&ts[i], NULL, w, (void *)(long)i);
    if (rc) { printf("err\n"); exit(-1); }
  }
  g = 6;
  for (int i = 0; i < N; i++) pthread_join(ts[i], NULL);
  g = 7;
  int n = atoi(argv[1]);
  pthread_t *h = malloc(n * sizeof *h);
  for (int i = 0; i < n; ++i) pthread_create(h + i, 0, w, 0);
  for (int i = 0; i < n; ++i) { void *r; if (pthread_join(h[i], &r)) return 1; }
  g = 8;
  for (int i = 0; i < nthreads; i++) pthread_create(&loc[i], 0, v, 0);
  for (int i = 0; i < nthreads; i++) pthread_join(loc[i], 0);
  g = 9;
  int i = 0;
  while (i < N) { pthread_create(&wks[i].tid, 0, w, &wks[i]); i++; }
  g = 10;
  for (i = 0; i != N; i++) pthread_join(wks[i].tid, 0);
  g = 11;
  return 0;
}
