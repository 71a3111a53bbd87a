/* Two spin locks: the path that gives the first one back early still writes what it protects. */
#include <pthread.h>
static pthread_spinlock_t a, b;
static int x, y;
static void move(int k)
{
	pthread_spin_lock(&a);
	x -= k; // RACE!
	pthread_spin_lock(&b);
	y += k; // NORACE
	pthread_spin_unlock(&b);
	pthread_spin_unlock(&a);
}
static void back(int k)
{
	pthread_spin_lock(&a);
	pthread_spin_unlock(&a);
	if (k > 3)
		x++; // RACE!
	pthread_spin_lock(&b);
	y--; // NORACE
	pthread_spin_unlock(&b);
}
static void *worker(void *p)
{
	for (int i = 0; i < 1000; i++) {
		move(i);
		back(i);
	}
	return p;
}
int main(void)
{
	pthread_t t, u;
	pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return x + y; // NORACE
}
