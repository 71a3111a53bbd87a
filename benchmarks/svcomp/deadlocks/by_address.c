/*
 * A transfer locks two accounts in the order of their numbers, whatever the direction.
 *
 * no-deadlock: true, the lower number always comes first.
 * no-data-race: true, an account is touched under its mutex.
 * unreach-call: true, a transfer moves money while both mutexes are held, the sum stays 20.
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
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int money[2] = { 10, 10 };
void transfer(int from, int to, int amount)
{
	int low = from < to ? from : to;
	int high = from < to ? to : from;
	pthread_mutex_lock(&m[low]);
	pthread_mutex_lock(&m[high]);
	money[from] -= amount;
	money[to] += amount;
	pthread_mutex_unlock(&m[high]);
	pthread_mutex_unlock(&m[low]);
}
void *forth(void *arg)
{
	transfer(0, 1, 3);
	return 0;
}
void *back(void *arg)
{
	transfer(1, 0, 4);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, forth, 0);
	pthread_create(&t2, 0, back, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(money[0] + money[1] == 20);
	return 0;
}
