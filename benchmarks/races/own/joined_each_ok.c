/* What a thread worked on is looked at as soon as that thread has ended, while others still run; threads of later rounds get the same things again. */
#include <pthread.h>
#include <stdlib.h>
#define N 4

struct part { long input, result; };

static long squares[N];
static struct part parts[N];
static pthread_t later[N];

static void *square(void *arg) {
	long i = (long)arg;
	squares[i] *= i; // NORACE
	return NULL;
}

static void *work(void *arg) {
	struct part *p = arg;
	p->result = p->input * 2; // NORACE
	return NULL;
}

static void *again(void *arg) {
	struct part *p = arg;
	p->result -= p->input; // NORACE
	return NULL;
}

int main(int argc, char **argv) {
	int n = argc < 1 ? 1 : argc;
	long sum = 0;
	pthread_t t[N], *u = malloc(n * sizeof *u);
	struct part *own = malloc(n * sizeof *own);
	for (long i = 0; i < N; i++) {
		squares[i] = i; // NORACE
		pthread_create(&t[i], NULL, square, (void *)i);
	}
	for (int i = N - 1; i >= 0; i--) {
		pthread_join(t[i], NULL);
		sum += squares[i]; // NORACE
	}
	for (int i = 0; i < n; i++) {
		own[i].input = i; // NORACE
		pthread_create(&u[i], NULL, work, &own[i]);
	}
	for (int i = 0; i < n; i++) {
		pthread_join(u[i], NULL);
		sum += own[i].result; // NORACE
		own[i].result = 0; // NORACE
	}
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < N; i++) {
			parts[i].input = round; // NORACE
			pthread_create(&t[i], NULL, work, &parts[i]);
		}
		for (int i = 0; i < N; i++)
			pthread_join(t[i], NULL);
		for (int i = 0; i < N; i++) {
			parts[i].input++; // NORACE
			pthread_create(&later[i], NULL, again, &parts[i]);
		}
		for (int i = 0; i < N; i++) {
			pthread_join(later[i], NULL);
			sum += parts[i].result; // NORACE
		}
	}
	return sum;
}
