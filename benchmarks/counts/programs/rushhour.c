/* A Rush Hour puzzle, solved in parallel: level by level, three workers look at a third of
 * the positions each, and enter those that are a move away into a table under a lock. Who
 * enters first is all that differs: 3! orders a level, and (3!)^6 = 46656 executions, since
 * the red car is out after six moves and no fewer, in whatever order positions are looked
 * at.
 *
 * Six by six squares. A car stands in one row or column and moves along it by a square. The
 * red car, car 0, stands in row 2 and is out when it covers column 5. */
#include <assert.h>
#include <pthread.h>

#define CARS 3
#define WORKERS 3
#ifndef MOVES
#define MOVES 6
#endif
#define MOST 64

struct car { int across, line, length; };

static const struct car cars[CARS] = {
	{ 1, 2, 2 }, /* the red one, at columns 2 and 3 */
	{ 0, 4, 3 }, /* in its way: at rows 1 to 3 of column 4 */
	{ 1, 5, 2 }, /* under that one, at columns 4 and 5 */
};

/* A position has 3 bits for where each car begins. */
#ifndef START
#define START (2 | 1 << 3 | 4 << 6)
#endif

static int table[MOST], entered; /* all positions, in the order in which they came */
static int first, last;          /* those of the level */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int at(int position, int car) { return position >> 3 * car & 7; }

static int covers(int position, int car, int row, int column)
{
	const struct car *c = &cars[car];
	int along = c->across ? column : row, line = c->across ? row : column;

	return line == c->line && along >= at(position, car) && along < at(position, car) + c->length;
}

static int occupied(int position, int row, int column)
{
	for (int car = 0; car < CARS; car++)
		if (covers(position, car, row, column))
			return 1;
	return 0;
}

/* moved is the position after a car has moved, -1 where it cannot. */
static int moved(int position, int car, int by)
{
	const struct car *c = &cars[car];
	int from = at(position, car), square = by > 0 ? from + c->length : from - 1;

	if (square < 0 || square > 5)
		return -1;
	if (c->across ? occupied(position, c->line, square) : occupied(position, square, c->line))
		return -1;
	return position + (by << 3 * car);
}

static void enter(int position)
{
	for (int i = 0; i < entered; i++)
		if (table[i] == position)
			return;
	assert(entered < MOST);
	table[entered++] = position;
}

static void *worker(void *arg)
{
	int found[MOST], n = 0;

	for (int i = first + (int)(long)arg; i < last; i += WORKERS)
		for (int car = 0; car < CARS; car++)
			for (int by = -1; by <= 1; by += 2) {
				int p = moved(table[i], car, by);
				if (p >= 0)
					found[n++] = p;
			}
	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++)
		enter(found[i]);
	pthread_mutex_unlock(&lock);
	return 0;
}

static int solved(void)
{
	for (int i = 0; i < entered; i++)
		if (at(table[i], 0) == 4)
			return 1;
	return 0;
}

int main(void)
{
	table[0] = START;
	last = entered = 1;
	for (int level = 0; level < MOVES; level++) {
		pthread_t workers[WORKERS];

		assert(!solved());
		for (long i = 0; i < WORKERS; i++)
			pthread_create(&workers[i], 0, worker, (void *)i);
		for (int i = 0; i < WORKERS; i++)
			pthread_join(workers[i], 0);
		first = last;
		last = entered;
	}
	assert(solved());
	return 0;
}
