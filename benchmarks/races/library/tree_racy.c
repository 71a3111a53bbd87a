/* What is given to nftw runs in each thread that calls it, and what a format prints is read. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct stat;
struct FTW;

extern int nftw(const char *dir, int (*f)(const char *, const struct stat *, int, struct FTW *), int open, int flags);

static int files;
static const char *root = "/tmp";
static char name[16] = "scan";

static int visit(const char *path, const struct stat *s, int flag, struct FTW *f) {
	files++; // RACE!
	return 0;
}

static void *worker(void *arg) {
	if (nftw(root, visit, 16, 0))
		fprintf((FILE *restrict)stderr, (char const *restrict)"%s: %s\n", name, strerror(errno)); // RACE!
	return NULL;
}

int main(void) {
	pthread_t a, b;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	name[0] = 83; // RACE!
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return files;
}
