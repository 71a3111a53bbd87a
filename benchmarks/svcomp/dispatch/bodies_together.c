/*
 * The bodies of two threads come from a table; both change the same variable.
 *
 * unreach-call: false, the addition may lose the doubling, giving 11, or the doubling the addition, giving 2
 *   instead of 12 or 22.
 * no-data-race: false, the bodies touch the variable with no synchronisation.
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
int x = 1;
void *add(void *arg)
{
	x += 10;
	return 0;
}
void *twice(void *arg)
{
	x *= 2;
	return 0;
}
void *(*const body[2])(void *) = { add, twice };
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, body[i], 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	__VERIFIER_assert(x == 12 || x == 22);
	return 0;
}
