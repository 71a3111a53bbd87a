/*
 * An array of accounts, each with its lock; a transfer takes both locks, the lower first.
 *
 * unreach-call: true, money moves while both accounts are locked; the sum is 30 in the end.
 * no-data-race: true, an account is touched under its own lock.
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
struct account { pthread_mutex_t lock; int money; } bank[3];
void transfer(int low, int high, int amount)
{
	pthread_mutex_lock(&bank[low].lock);
	pthread_mutex_lock(&bank[high].lock);
	bank[low].money -= amount;
	bank[high].money += amount;
	pthread_mutex_unlock(&bank[high].lock);
	pthread_mutex_unlock(&bank[low].lock);
}
void *first(void *arg)
{
	transfer(0, 1, 2);
	return 0;
}
void *second(void *arg)
{
	transfer(1, 2, -3);
	return 0;
}
int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_init(&bank[i].lock, 0);
		bank[i].money = 10;
	}
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(bank[0].money + bank[1].money + bank[2].money == 30);
	return 0;
}
