#include <malloc.h>
#include <unistd.h>

// Every context of Z3 touches 17 MB of tables. The next one gets the memory of one that is gone, and not new pages from the system, which cost ten times what the
// rest of a context does: blocks of that size come from the heap, the heap is not given back, and there are no more heaps than processors.
__attribute__((constructor)) static void whoop_malloc(void) {
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	mallopt(M_ARENA_MAX, n > 0 ? (int)n : 2);
}
