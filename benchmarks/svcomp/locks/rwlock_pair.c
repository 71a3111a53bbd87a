/*
 * A writer keeps two variables equal under a write lock, two readers compare them under read locks.
 *
 * unreach-call: true, a reader never overlaps the writer, so it sees both changes or neither.
 * no-data-race: true, writes hold the lock exclusively, reads hold it shared.
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
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, reader, 0);
	pthread_create(&t3, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
