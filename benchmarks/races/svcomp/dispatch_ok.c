/* Handlers in a table, chosen by an unknown value, each with its own lock. */
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void do_a(void)
{
	pthread_mutex_lock(&ma);
	x++; // NORACE
	pthread_mutex_unlock(&ma);
}
static void do_b(void)
{
	pthread_mutex_lock(&mb);
	y++; // NORACE
	pthread_mutex_unlock(&mb);
}
static void (*const table[])(void) = { do_a, do_b };
static void *worker(void *arg)
{
	table[__VERIFIER_nondet_uint() % 2]();
	return arg;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, 0);
	return 0;
}
