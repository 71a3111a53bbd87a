/*
 * Peterson's algorithm with plain variables.
 *
 * unreach-call: true, with steps in the order of the program the algorithm excludes two threads inside.
 * no-data-race: false, the plain flags and the turn are written and read at once.
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
int interested0, interested1, turn;
int n;
void *zero(void *arg)
{
	interested0 = 1;
	turn = 1;
	while (interested1 && turn == 1)
		;
	n++;
	interested0 = 0;
	return 0;
}
void *one(void *arg)
{
	interested1 = 1;
	turn = 0;
	while (interested0 && turn == 0)
		;
	n++;
	interested1 = 0;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, zero, 0);
	pthread_create(&t2, 0, one, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
