/* A place is given back, and used after that. */
#include <pthread.h>
struct place { int used, n; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct place places[8];
static int n;
static struct place *take(void)
{
	struct place *p = 0;
	pthread_mutex_lock(&m);
	for (int i = 0; i < 8; i++)
		if (!places[i].used) {
			p = &places[i];
			p->used = 1;
			break;
		}
	pthread_mutex_unlock(&m);
	return p;
}
static void *worker(void *a)
{
	struct place *p = take();
	if (!p)
		return a;
	p->n++; // RACE!
	pthread_mutex_lock(&m);
	p->used = 0;
	pthread_mutex_unlock(&m);
	p->n++; // RACE!
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
