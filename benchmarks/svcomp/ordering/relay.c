/*
 * Each stage is created after the stage before it was joined.
 *
 * unreach-call: true, the stages run one after the other: 1, then 1 + 10, then 11 * 2.
 * no-data-race: true, creations and joins order all accesses.
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
int v;
void *set(void *arg)
{
	v = 1;
	return 0;
}
void *add(void *arg)
{
	v += 10;
	return 0;
}
void *twice(void *arg)
{
	v *= 2;
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	pthread_join(t, 0);
	pthread_create(&t, 0, add, 0);
	pthread_join(t, 0);
	pthread_create(&t, 0, twice, 0);
	pthread_join(t, 0);
	__VERIFIER_assert(v == 22);
	return 0;
}
