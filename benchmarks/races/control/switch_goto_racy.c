/* A switch with falling through: one case unlocks before it falls. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state, steps, errors;
static int step(int cmd)
{
	int r = -1;
	pthread_mutex_lock(&m);
	switch (cmd) {
	case 0:
		state = 1; // RACE!
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		/* fall through */
	case 1:
		if (state != 1) // NORACE
			goto fail;
		steps++; // NORACE
		break;
	case 2 ... 4:
		while (state > 0) { // NORACE
			if (--state == 0) // RACE!
				break;
		}
		break;
	default:
		goto fail;
	}
	r = 0;
out:
	pthread_mutex_unlock(&m);
	if (r == 0 && cmd == 0)
		r = state; // RACE!
	return r;
fail:
	errors++; // NORACE
	goto out;
}
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++)
		step(i % 6);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return errors + steps; // NORACE
}
