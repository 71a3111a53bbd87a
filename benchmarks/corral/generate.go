// Package corral makes the programs on which bmc is compared with Corral: two threads
// that do M steps each.
//
//	src, err := corral.Program("atomic", 10) // C source
package corral

import (
	"fmt"
	"strings"
)

// Kinds are the programs: atomic increments and locked read-modify-writes, both with a
// sum that is asserted and right, and Fibonacci counters, whose bound is reached only by
// switching after every step.
var Kinds = []string{"atomic", "locked", "fibonacci"}

// Program returns the C source of a kind with M steps in each of two threads. The
// Fibonacci counters assert that the bound is not reached, which is false with enough
// switches.
func Program(kind string, m int) (string, error) {
	var f, g, after string
	switch kind {
	case "atomic":
		f = strings.Repeat("\t__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();\n", m)
		g, after = f, fmt.Sprintf("x == %d", 2*m)
	case "locked":
		f = strings.Repeat("\tpthread_mutex_lock(&l); t = x; x = t + 1; pthread_mutex_unlock(&l);\n", m)
		g, after = f, fmt.Sprintf("x == %d", 2*m)
	case "fibonacci":
		a, b := 1, 1
		for range 2 * m {
			a, b = b, a+b
		}
		f = strings.Repeat("\t__VERIFIER_atomic_begin(); i += j; __VERIFIER_atomic_end();\n", m)
		g = strings.Repeat("\t__VERIFIER_atomic_begin(); j += i; __VERIFIER_atomic_end();\n", m)
		after = fmt.Sprintf("i < %d && j < %d", b, b)
	default:
		return "", fmt.Errorf("no program %q: there are %s", kind, strings.Join(Kinds, ", "))
	}
	return fmt.Sprintf(`#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
int x, i = 1, j = 1;
void *f(void *a) {
	int t = 0;
%s	return 0;
}
void *g(void *a) {
	int t = 0;
%s	return 0;
}
int main(void) {
	pthread_t p, q;
	pthread_create(&p, 0, f, 0);
	pthread_create(&q, 0, g, 0);
	pthread_join(p, 0);
	pthread_join(q, 0);
	assert(%s);
	return 0;
}
`, f, g, after), nil
}
