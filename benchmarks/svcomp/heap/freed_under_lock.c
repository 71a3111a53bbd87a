/*
 * One thread frees a block and clears the pointer under the mutex; the other uses the block if it is there.
 *
 * unreach-call: true, the value is 4 as long as the block is there.
 * no-data-race: true, pointer and block are under the mutex.
 * valid-memsafety: true, the block is used only when the pointer is set and freed once.
 */
#include <stdlib.h>
#include <pthread.h>
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
int *p;
void *user(void *arg)
{
	pthread_mutex_lock(&m);
	if (p)
		__VERIFIER_assert(*p == 4);
	pthread_mutex_unlock(&m);
	return 0;
}
void *closer(void *arg)
{
	pthread_mutex_lock(&m);
	free(p);
	p = 0;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	p = malloc(sizeof *p);
	if (!p)
		return 0;
	*p = 4;
	pthread_t t1, t2;
	pthread_create(&t1, 0, user, 0);
	pthread_create(&t2, 0, closer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
