/*
 * The bodies of two threads come from a table; each has a variable of its own.
 *
 * unreach-call: true, each variable is written by one thread.
 * no-data-race: true, the bodies share nothing.
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
int x, y;
void *put_x(void *arg)
{
	x = 1;
	return 0;
}
void *put_y(void *arg)
{
	y = 2;
	return 0;
}
void *(*const body[2])(void *) = { put_x, put_y };
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, body[i], 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	__VERIFIER_assert(x == 1 && y == 2);
	return 0;
}
