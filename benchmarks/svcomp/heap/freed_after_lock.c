/*
 * The closer frees the block after it has released the mutex, and never clears the pointer.
 *
 * valid-memsafety: false (valid-deref), the user may take the pointer after or during the free and touch a dead
 *   block.
 * no-data-race: false, the free and the user's read of the block are not ordered.
 */
#include <stdlib.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *p;
int seen;
void *user(void *arg)
{
	pthread_mutex_lock(&m);
	if (p)
		seen = *p;
	pthread_mutex_unlock(&m);
	return 0;
}
void *closer(void *arg)
{
	int *q;
	pthread_mutex_lock(&m);
	q = p;
	pthread_mutex_unlock(&m);
	free(q);
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
