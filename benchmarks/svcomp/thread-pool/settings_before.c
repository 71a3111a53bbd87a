/*
 * Main writes the settings once and then creates any number of threads that read them.
 *
 * unreach-call: true, the settings are in place before the first thread starts and stay.
 * no-data-race: true, after the first creation the settings are only read.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
extern _Bool __VERIFIER_nondet_bool(void);
int width, height;
void *worker(void *arg)
{
	__VERIFIER_assert(width * height == 12);
	return 0;
}
int main(void)
{
	pthread_t t;
	width = 3;
	height = 4;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
