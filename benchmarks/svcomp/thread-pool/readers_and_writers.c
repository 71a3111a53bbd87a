/*
 * Any number of readers and writers, chosen one by one, share a pair under a read-write lock.
 *
 * unreach-call: true, a reader holds the lock shared, so no writer is half done.
 * no-data-race: true, writes hold the lock exclusively, reads shared.
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
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
unsigned a, b;
void *writer(void *arg)
{
	pthread_rwlock_wrlock(&l);
	a++;
	b++;
	pthread_rwlock_unlock(&l);
	return 0;
}
void *reader(void *arg)
{
	pthread_rwlock_rdlock(&l);
	__VERIFIER_assert(a == b);
	pthread_rwlock_unlock(&l);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool()) {
		if (__VERIFIER_nondet_bool())
			pthread_create(&t, 0, writer, 0);
		else
			pthread_create(&t, 0, reader, 0);
	}
	return 0;
}
