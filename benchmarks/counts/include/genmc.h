/* What GenMC's own tests ask of its header genmc.h, for whoop explore: names and meanings are those of its
   documentation. Marks that only tell GenMC where it may save work are nothing here. */
#ifndef WHOOP_COUNTS_GENMC_H
#define WHOOP_COUNTS_GENMC_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int cond);

typedef pthread_t __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*run)(void *), void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, run, arg);
	return t;
}

static inline void *__VERIFIER_join(__VERIFIER_thread_t t)
{
	void *result;

	pthread_join(t, &result);
	return result;
}

#define __VERIFIER_spawn_symmetric(run, arg, other) __VERIFIER_spawn(run, arg)

/* Marks. */
#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(over) __VERIFIER_assume(over)
#define __VERIFIER_local_write(s) do { s; } while (0)
#define __VERIFIER_final_write(s) do { s; } while (0)
#define __VERIFIER_helped_CAS(c) do { c; } while (0)
#define __VERIFIER_helping_CAS(c) do { c; } while (0)
#define __VERIFIER_final_CAS(c) (c)
#define __VERIFIER_speculative_read(c) (c)
#define __VERIFIER_confirming_read(c) (c)
#define __VERIFIER_confirming_CAS(c) (c)

/* What is optional never comes to its end. */
#define __VERIFIER_optional(s) do { } while (0)

/* Hazard pointers: nothing is freed that they would protect. */
typedef void *__VERIFIER_hp_t;
#define __VERIFIER_hp_alloc() NULL
#define __VERIFIER_hp_protect(hp, p) __atomic_load_n((void **)(p), __ATOMIC_ACQUIRE)
#define __VERIFIER_hp_clear(hp) ((void)(hp))
#define __VERIFIER_hp_free(hp) ((void)(hp))
#define __VERIFIER_hp_retire(p) ((void)(p))

#endif
