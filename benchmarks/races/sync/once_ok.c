/* pthread_once: the initialisation runs once, before anyone goes on. */
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[8];
static int done;
static void init(void)
{
	for (int i = 0; i < 8; i++)
		table[i] = i * i; // NORACE
}
static void *worker(void *a)
{
	int s = 0;
	pthread_once(&once, init);
	for (int i = 0; i < 8; i++)
		s += table[i]; // NORACE
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return done + (once != 0);
}
