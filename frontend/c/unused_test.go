package c_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/ir"
)

// TestDropUnused: static inline functions that nothing uses are left out, with what only
// they use; others stay.
func TestDropUnused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.i")
	if err := os.WriteFile(path, []byte(`
int used_by_dead(void);
static inline int dead_leaf(void) { return used_by_dead(); }
static inline int dead(int (*f)(void)) { return f() + dead_leaf(); }
static inline int leaf(void) { return 1; }
static inline int called(void) { return leaf(); }
static inline int in_table(void) { return 2; }
static int plain(void) { return 3; }
struct ops { int (*f)(void); };
static struct ops table = { in_table };
static inline int (*__inittest(void))(void) { return plain; }
int main(void) { return called(); }
`), 0o644); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range load(t, path).Funcs {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if want := []string{"__inittest", "called", "in_table", "leaf", "main", "plain"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// TestUnusedAssumptions: what only functions say that are left out is not assumed; what
// others say, too, is.
func TestUnusedAssumptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.i")
	if err := os.WriteFile(path, []byte(`
void only_dead(int *);
void both(int *);
static inline void dead(int *p) { only_dead(p); both(p); }
static void live(int *p) { both(p); }
static void again(int *p) { both(p); }
int main(void) { int x; live(&x); again(&x); return 0; }
`), 0o644); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	ir.Print(&b, load(t, path))
	text := b.String()
	if strings.Contains(text, "only_dead is external") {
		t.Error("an assumption of a function that nothing uses")
	}
	if n := strings.Count(text, "both is external"); n != 1 {
		t.Errorf("%d assumptions about a function that two call, want 1\n%s", n, text)
	}
}
