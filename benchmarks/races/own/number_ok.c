/* Threads that get a number each, and have the elements with that number to themselves. */
#include <pthread.h>
#include <stdlib.h>
#define N 8

struct part { long sum, rest; };

static int squares[N];
static struct part parts[N];
static int *block;
static int back[N];

static void *square(void *arg) {
	int i = (int)(long)arg;
	squares[i] = i * i;
	block[i]++;
	return NULL;
}

static void *add(void *arg) {
	long i = (long)arg;
	parts[i].sum += i;
	parts[i].rest = parts[i].sum / 2;
	return NULL;
}

static void *backwards(void *arg) {
	back[(long)arg]--;
	return NULL;
}

static struct part own[N];

static void *fill(void *arg) {
	struct part *p = arg;
	p->sum = p->rest * 2;
	return NULL;
}

int main(int argc, char **argv) {
	pthread_t t[N], u[N], v[N], w[N];
	int n = argc < 1 ? 1 : argc < N ? argc : N;
	block = malloc(n * sizeof *block);
	for (int i = 0; i < n; i++) {
		block[i] = 2 * i;
		pthread_create(&t[i], NULL, square, (void *)(long)i);
	}
	for (long i = 0; i < N; i++)
		pthread_create(&u[i], NULL, add, (void *)i);
	for (long i = N - 1; i >= 0; i--)
		pthread_create(&v[i], NULL, backwards, (void *)i);
	for (int i = 0; i < N; i++) { // objects, after numbers
		own[i].rest = i;
		pthread_create(&w[i], NULL, fill, &own[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	for (long i = 0; i < N; i++)
		pthread_join(u[i], NULL);
	return squares[0] + block[0] + parts[0].sum;
}
