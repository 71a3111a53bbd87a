/* Handlers in a table, chosen by an unknown value; one forgot the lock. Both threads may choose any handler. */
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void do_a(void)
{
	pthread_mutex_lock(&m);
	x++; // RACE!
	pthread_mutex_unlock(&m);
}
static void do_b(void)
{
	x = 0; // RACE!
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
