/* String functions on a shared name: all under the lock. */
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char name[32] = "nobody";
static void rename_to(const char *s)
{
	pthread_mutex_lock(&m);
	strcpy(name, s); // NORACE
	pthread_mutex_unlock(&m);
}
static int is(const char *s)
{
	int r;
	pthread_mutex_lock(&m);
	r = strcmp(name, s) == 0; // NORACE
	pthread_mutex_unlock(&m);
	return r;
}
static void *namer(void *a)
{
	for (int i = 0; i < 1000; i++)
		rename_to(i % 2 ? "somebody" : "anybody");
	return a;
}
static void *asker(void *a)
{
	long hits = 0;
	for (int i = 0; i < 1000; i++)
		hits += is("anybody");
	return (void *)hits;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, namer, 0);
	pthread_create(&u, 0, asker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)strlen(name); // NORACE
}
