/*
 * Main joins a thread other than the one whose result it reads.
 *
 * unreach-call: false, the writer may not have written yet.
 * no-data-race: false, write and read are not ordered.
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
int result;
void *writer(void *arg)
{
	result = 5;
	return 0;
}
void *other(void *arg)
{
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, other, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(result == 5);
	pthread_join(t1, 0);
	return 0;
}
