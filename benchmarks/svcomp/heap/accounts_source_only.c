/*
 * A transfer takes the lock of the account it takes money from, and no other.
 *
 * unreach-call: false, account 1 is changed under two different locks, a change may be lost.
 * no-data-race: false, the same accesses: account 1 under the lock of account 0 and under its own.
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
void transfer(int from, int to, int amount)
{
	pthread_mutex_lock(&bank[from].lock);
	bank[from].money -= amount;
	bank[to].money += amount;
	pthread_mutex_unlock(&bank[from].lock);
}
void *first(void *arg)
{
	transfer(0, 1, 2);
	return 0;
}
void *second(void *arg)
{
	transfer(1, 2, 3);
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
