/*
 * Two threads fill one half each of an array; the first goes one element too far.
 *
 * unreach-call: false, if the first thread ends last, the first element of the second half holds its mark.
 * no-data-race: false, both threads write that element.
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
int cell[4];
void *lower(void *arg)
{
	for (int i = 0; i <= 2; i++)
		cell[i] = 1;
	return 0;
}
void *upper(void *arg)
{
	for (int i = 2; i < 4; i++)
		cell[i] = 2;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, lower, 0);
	pthread_create(&t2, 0, upper, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(cell[2] == 2);
	return 0;
}
