/*
 * The writer takes the lock in shared mode only.
 *
 * unreach-call: false, two shared holders overlap: the reader may look between the two increments.
 * no-data-race: false, the write and the read both hold the lock in shared mode, which excludes neither.
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
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int a, b;
void *writer(void *arg)
{
	pthread_rwlock_rdlock(&l);
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
	pthread_t t1, t2;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
