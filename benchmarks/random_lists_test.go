package benchmarks

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/pipeline"
)

// listActions are what threads do with shared lists, a line a statement. h and m stand
// for a list and its lock. All are right, until a line of them is changed.
var listActions = [][]string{
	{"j = make();", "pthread_mutex_lock(&m);", "if (j) j->next = h;", "if (j) h = j;", "pthread_mutex_unlock(&m);"},
	{"pthread_mutex_lock(&m);", "j = h;", "if (j) h = j->next;", "pthread_mutex_unlock(&m);", "if (j) j->n++;"},
	{"pthread_mutex_lock(&m);", "j = h;", "if (j) h = j->next;", "pthread_mutex_unlock(&m);", "if (j) j->n++;",
		"pthread_mutex_lock(&m);", "if (j) j->next = h;", "if (j) h = j;", "pthread_mutex_unlock(&m);"},
	{"pthread_mutex_lock(&m);", "if (h) { k = h; h = h->next; }", "pthread_mutex_unlock(&m);", "if (k) k->n++;", "k = 0;"},
	{"pthread_mutex_lock(&m);", "l = h;", "h = 0;", "pthread_mutex_unlock(&m);", "while (l) { k = l; l = l->next; k->n++; }", "k = 0;"},
	{"pthread_mutex_lock(&m);", "l = h;", "h = 0;", "pthread_mutex_unlock(&m);", "if (l) k = l->next;", "if (k) k->n++;", "k = 0;"},
	{"pthread_mutex_lock(&m);", "for (j = h; j; j = j->next) j->n++;", "pthread_mutex_unlock(&m);", "j = 0;"},
	{"pthread_mutex_lock(&m);", "j = h;", "if (j) j->n++;", "pthread_mutex_unlock(&m);", "j = 0;"},
	{"pthread_mutex_lock(&m);", "for (pp = &h; *pp; pp = &(*pp)->next) if ((*pp)->n == 1) { j = *pp; *pp = j->next; break; }",
		"pthread_mutex_unlock(&m);", "if (j) j->n++;", "j = 0;"},
	{"k = make();", "pthread_mutex_lock(&m);", "j = h;", "if (j && k) { k->next = j->next; j->next = k; }", "pthread_mutex_unlock(&m);", "j = 0; k = 0;"},
	{"pthread_mutex_lock(&m);", "j = h;", "if (j) { k = j->next; if (k) j->next = k->next; }", "pthread_mutex_unlock(&m);", "if (k) k->n++;", "j = 0; k = 0;"},
	{"j = make();", "pthread_mutex_lock(&m);", "k = h;", "if (j) h = j;", "pthread_mutex_unlock(&m);", "if (k) k->n++;"},
	{"j = make();", "pthread_mutex_lock(&f);", "if (!first) first = j; else last->next = j;", "last = j;", "pthread_mutex_unlock(&f);"},
	{"j = make();", "pthread_mutex_lock(&f);", "if (first) last->next = j;", "if (!first) first = j;", "last = j;", "pthread_mutex_unlock(&f);"},
	{"pthread_mutex_lock(&f);", "j = first;", "if (j) first = j->next;", "if (!first) last = 0;", "pthread_mutex_unlock(&f);", "if (j) j->n++;"},
	{"pthread_mutex_lock(&f);", "j = first;", "if (j) first = j->next;", "pthread_mutex_unlock(&f);", "if (j) j->n++;", "if (j) free(j);", "j = 0;"},
}

// listLines are lines that are put between those of an action.
var listLines = []string{
	"pthread_mutex_unlock(&m); pthread_mutex_lock(&m);", "seen = j;", "j = seen;", "if (j) j->n++;", "if (k) k->n++;", "k = j;", "j = k;",
	"if (j) j->next = 0;", "if (j) j->next = k;", "if (k) k->next = j;", "j = h;", "k = h;", "h = 0;", "h = k;", "h = j;", "if (j) j = j->next;",
	"if (k) k = k->next;", "last = j;", "first = j;", "j = last;", "j = first;", "l = h;", "if (l) l->n++;", "if (j) k = j->next;",
	"if (j) free(j);", "if (h) h = h->next;", "if (k) h = k->next;", "if (j) *j = (struct node){0};", "if (j && k) *j = *k;",
	"if (l) l = l->next;", "pp = &h;", "if (j) pp = &j->next;", "if (*pp) *pp = (*pp)->next;", "*pp = j;", "j = *pp;",
}

// listAction is one of them, some with a change or two.
func (w *writer) listAction() {
	lines := slices.Clone(listActions[w.Intn(len(listActions))])
	for n := w.Intn(4) - 1; n > 0; n-- {
		i := w.Intn(len(lines))
		switch w.Intn(5) {
		case 0:
			lines = slices.Delete(lines, i, i+1)
		case 1:
			j := w.Intn(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		default:
			lines = slices.Insert(lines, i, listLines[w.Intn(len(listLines))])
		}
		if len(lines) == 0 {
			return
		}
	}
	i := w.Intn(2)
	lock := i
	if w.Intn(20) == 0 {
		lock = w.Intn(2)
	}
	for _, l := range lines {
		l = strings.NewReplacer("(&m)", fmt.Sprintf("(&m%d)", lock), "h->", fmt.Sprintf("h%d->", i), "&h", fmt.Sprintf("&h%d", i)).Replace(l)
		for _, x := range []string{" h;", " h)", "(h)", "h =", " h ", "(h "} {
			l = strings.ReplaceAll(l, x, strings.Replace(x, "h", fmt.Sprintf("h%d", i), 1))
		}
		w.line("%s", l)
	}
}

// listProgram returns the text of a random program with shared lists.
func listProgram(seed int64) string {
	w := &writer{Rand: rand.New(rand.NewSource(seed))}
	inPool := w.Intn(2) == 0
	w.b.WriteString(`#include <pthread.h>
#include <stdlib.h>
struct node { int n; struct node *next; };
static struct node *seen;
`)
	if inPool {
		w.b.WriteString(`struct pool {
	pthread_mutex_t a;
	struct node *b;
	pthread_mutex_t c;
	struct node *d, *e, *g;
	pthread_mutex_t i;
};
static struct pool *pool;
#define h0 (pool->b)
#define h1 (pool->d)
#define first (pool->e)
#define last (pool->g)
#define m0 (pool->a)
#define m1 (pool->c)
#define f (pool->i)
`)
	} else {
		w.b.WriteString(`static struct node *h0, *h1, *first, *last;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t f = PTHREAD_MUTEX_INITIALIZER;
`)
	}
	w.b.WriteString(`static struct node *make(void)
{
	struct node *j = malloc(sizeof *j);
	if (j) {
		j->n = 1;
		j->next = 0;
	}
	return j;
}
`)
	for t := range 2 {
		w.line("static void *t%d(void *arg)\n{", t)
		w.depth = 1
		w.line("struct node *j = 0, *k = 0, *l = 0, *dummy = 0, **pp = &dummy;")
		for range 2 + w.Intn(2) {
			w.listAction()
		}
		w.line("return arg;")
		w.depth = 0
		w.line("}")
	}
	w.line("int main(void)\n{")
	w.depth = 1
	w.line("pthread_t id[4];")
	w.line("struct node *j = 0, *k = 0, *l = 0, *dummy = 0, **pp = &dummy;")
	if inPool {
		w.line("pool = calloc(1, sizeof *pool);")
		w.line("if (!pool) return 1;")
		w.line("pthread_mutex_init(&m0, 0); pthread_mutex_init(&m1, 0); pthread_mutex_init(&f, 0);")
	}
	for range w.Intn(2) {
		w.listAction()
	}
	for i := range 2 + w.Intn(2) {
		w.line("pthread_create(&id[%d], 0, t%d, 0);", i, i&1)
	}
	for range w.Intn(2) {
		w.listAction()
	}
	w.line("return 0;")
	w.depth = 0
	w.line("}")
	return w.b.String()
}

// TestVerifyLists: of random programs that take objects out of shared lists, verify
// proves none that some execution shows to race.
func TestVerifyLists(t *testing.T) {
	dir := t.TempDir()
	racy, clean := 0, 0
	for k := range *programs {
		n := *seed + int64(k)
		path := filepath.Join(dir, fmt.Sprintf("lists%d.c", n))
		if err := os.WriteFile(path, []byte(listProgram(n)), 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 2})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", n, err, listProgram(n))
		}
		if !rep.Proved() {
			racy++
			continue
		}
		clean++
		p, err := pipeline.Load(path, pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range concrete(t, p, 300) {
			t.Errorf("seed %d: an execution shows a race: %s\n%s", n, text, listProgram(n))
		}
	}
	t.Logf("seeds %d to %d: %d programs are proved race-free, %d not", *seed, *seed+int64(*programs)-1, clean, racy)
}
