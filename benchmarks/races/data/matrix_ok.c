/* A two-dimensional array under one lock for each row. */
#include <pthread.h>
#define R 4
#define C 8
static pthread_mutex_t lock[R];
static int cell[R][C];
static void bump(int r, int c)
{
	pthread_mutex_lock(&lock[r]);
	cell[r][c]++; // NORACE
	pthread_mutex_unlock(&lock[r]);
}
static int column(int c)
{
	int s = 0;
	for (int r = 0; r < R; r++) {
		pthread_mutex_lock(&lock[r]);
		s += cell[r][c]; // NORACE
		pthread_mutex_unlock(&lock[r]);
	}
	return s;
}
static void *worker(void *a)
{
	int s = 0;
	for (int i = 0; i < 1000; i++) {
		bump(i % R, i % C);
		s += column(i % C);
	}
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t, u;
	for (int r = 0; r < R; r++)
		pthread_mutex_init(&lock[r], 0);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return cell[0][0]; // NORACE
}
