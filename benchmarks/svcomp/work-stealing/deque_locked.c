/*
 * An owner takes from the bottom of a deque, a thief from the top, both under a mutex.
 *
 * unreach-call: true, a task is removed from the deque when it is taken, so each runs once.
 * no-data-race: true, the deque is under the mutex, each run counter is touched by the one who took the task.
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
int top, bottom = 3, runs[3];
void *owner(void *arg)
{
	for (int i = 0; i < 3; i++) {
		int task = -1;
		pthread_mutex_lock(&m);
		if (top < bottom)
			task = --bottom;
		pthread_mutex_unlock(&m);
		if (task >= 0)
			runs[task]++;
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
		runs[task]++;
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, owner, 0);
	pthread_create(&t2, 0, thief, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	for (int i = 0; i < 3; i++)
		__VERIFIER_assert(runs[i] == 1);
	return 0;
}
