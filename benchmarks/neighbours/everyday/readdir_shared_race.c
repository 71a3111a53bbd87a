// Two threads go through one directory stream: what one got is overwritten by the other.
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
static DIR *dir;
static void *list(void *p) {
  struct dirent *e;
  while ((e = readdir(dir))) // RACE!
    puts(e->d_name); // RACE!
  return p;
}
int main(void) {
  pthread_t a, b;
  dir = opendir(".");
  if (!dir)
    return 1;
  pthread_create(&a, 0, list, 0);
  pthread_create(&b, 0, list, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  closedir(dir);
  return 0;
}
