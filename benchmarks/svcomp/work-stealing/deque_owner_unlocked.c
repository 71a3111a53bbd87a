/*
 * The owner takes from the bottom without the mutex, as if the ends never met.
 *
 * unreach-call: false, with one task left both may take it.
 * no-data-race: false, the owner writes "bottom" while the thief reads it.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int top, bottom = 1;
int runs[2];
void *owner(void *arg)
{
	if (top < bottom) {
		bottom--;
		runs[0]++;
	}
	return 0;
}
void *thief(void *arg)
{
	int task = -1;
	pthread_mutex_lock(&m);
	if (top < bottom)
		task = top++;
	pthread_mutex_unlock(&m);
	if (task >= 0)
		runs[1]++;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, owner, 0);
	pthread_create(&t2, 0, thief, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(runs[0] + runs[1] == 1);
	return 0;
}
