/* ftw calls its function before it returns, in the thread that called it; a format that is cast is still a format; stat by the name that old headers have for it. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct stat {
	long members[18];
};

extern int ftw(const char *dir, int (*f)(const char *, const struct stat *, int), int open);
extern int __xstat(int version, const char *path, struct stat *s);

static int files;
static const char *root = "/tmp";
static char name[16] = "scan";

static int visit(const char *path, const struct stat *s, int flag) {
	files++;
	return 0;
}

static void *worker(void *arg) {
	struct stat s;
	if (__xstat(1, root, &s))
		fprintf((FILE *restrict)stderr, (char const *restrict)"%s: %s\n", name, strerror(errno));
	return NULL;
}

int main(void) {
	pthread_t a, b;
	if (ftw(root, visit, 16))
		return 1;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	files--;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return files;
}
