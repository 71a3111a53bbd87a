/* What <stdatomic.h> has, of all kinds of objects; main returns the line of the first check that fails. */
#include <stdatomic.h>
#include <stdbool.h>
#define CHECK(c) do { if (!(c)) return __LINE__; } while (0)
struct node { struct node *next; int v; };
enum state { IDLE, BUSY = 300 };
static atomic_flag flag = ATOMIC_FLAG_INIT;
static volatile atomic_flag seen = ATOMIC_FLAG_INIT;
static atomic_bool yes = true;
static atomic_size_t size;
static atomic_uchar small = 250;
static struct node first = { 0, 4 };
static _Atomic(struct node *) head = &first;
static _Atomic enum state state = BUSY;
static int numbers[3] = { 1, 2, 3 };
static atomic_int index = 2;
static int increment(int x) { return x + 1; }
static int (*_Atomic function)(int);
static atomic_long big = 1L << 40;
static int last(int n, ...)
{
	__builtin_va_list l;
	__builtin_va_start(l, n);
	long r = __builtin_va_arg(l, long);
	__builtin_va_end(l);
	return r == 1L << 40;
}
int main(void)
{
	CHECK(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
	atomic_flag_clear(&flag);
	CHECK(!atomic_flag_test_and_set(&flag) && !atomic_flag_test_and_set(&seen) && atomic_flag_test_and_set(&seen));
	CHECK(atomic_load(&yes) == true && atomic_exchange(&yes, 0) == true && !atomic_load(&yes));
	CHECK(atomic_fetch_add(&size, 5) == 0 && atomic_fetch_sub(&size, 6) == 5 && atomic_load(&size) > 100);
	CHECK(atomic_fetch_add(&small, 10) == 250 && atomic_load(&small) == 4 && (atomic_fetch_sub(&small, 5), small == 255));
	CHECK(atomic_load(&head)->v == 4);
	struct node second = { atomic_load(&head), 9 };
	atomic_store(&head, &second);
	CHECK(atomic_load(&head)->next->v == 4 && (*atomic_load(&head)).v == 9);
	CHECK(atomic_load(&state) == 300 && numbers[atomic_load(&index)] == 3);
	atomic_store(&function, increment);
	CHECK(atomic_load(&function)(4) == 5 && last(1, atomic_load(&big)));
	CHECK(kill_dependency(atomic_load(&big)) >> 40 == 1 && atomic_is_lock_free(&big));
	struct node *e = &first;
	CHECK(!atomic_compare_exchange_strong(&head, &e, &first) && e == &second && e->v == 9);
	CHECK(ATOMIC_INT_LOCK_FREE == 2 && sizeof(atomic_load(&small)) == 1);
	atomic_init(&big, 7);
	atomic_thread_fence(memory_order_seq_cst);
	CHECK(big == 7);
	for (atomic_int i = 0; i < 3; i++)
		CHECK(atomic_load(&i) < 3);
	big += 3;
	CHECK(big-- == 10 && ++big == 10);
	small <<= 4;
	CHECK(small == 240);
	switch (atomic_load(&state)) {
	case BUSY:
		break;
	default:
		return __LINE__;
	}
	return 0;
}
