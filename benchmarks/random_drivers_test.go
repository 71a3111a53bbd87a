package benchmarks

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
	"whoop/report"
)

var driverPrograms = flag.Int("drivers", testscope.Count(12, 120), "random drivers whose proofs are held against bmc")

// driverWriter makes random character drivers with a context for each open file, a timer
// and a work item in it, a variable that may lead to one of the contexts, and calls that
// use all of these with and without locks.
type driverWriter struct {
	r *rand.Rand
}

func (w *driverWriter) maybe(n int) bool { return w.r.IntN(n) == 0 }

func (w *driverWriter) pick(of ...string) string { return of[w.r.IntN(len(of))] }

// access is an access to a context c.
func (w *driverWriter) access() string {
	f := w.pick("a", "b", "a", "buf[k & 3]", "next->a")
	s := w.pick("c->"+f+"++;", "c->"+f+" = 1;", "total += c->"+f+";")
	if strings.HasPrefix(f, "next") {
		s = "if (c->next) { " + s + " }"
	}
	if strings.HasPrefix(s, "total") {
		s = "spin_lock(&g); " + s + " spin_unlock(&g);"
	}
	if !w.maybe(3) {
		s = "spin_lock(&c->l); " + strings.ReplaceAll(strings.ReplaceAll(s, "spin_lock(&g); ", ""), " spin_unlock(&g);", "") + " spin_unlock(&c->l);"
		s = strings.ReplaceAll(s, "total += c->", "k = c->")
	}
	return s
}

func (w *driverWriter) some(n int, of func() string) string {
	var out []string
	for range w.r.IntN(n + 1) {
		out = append(out, of())
	}
	return strings.Join(out, "\n\t")
}

// call is the body of a call on a file.
func (w *driverWriter) call() string {
	return w.pick(w.access(), w.access(), w.access(), "mod_timer(&c->t, 1);", "schedule_work(&c->w);", "del_timer_sync(&c->t);", "cancel_work_sync(&c->w);",
		"spin_lock(&g); if (last) c = last; spin_unlock(&g);")
}

func (w *driverWriter) program() string {
	open := []string{"c->l_ready = 1;"}
	if w.maybe(2) {
		open = append(open, "timer_setup(&c->t, tick, 0);")
	}
	if w.maybe(2) {
		open = append(open, "INIT_WORK(&c->w, work);")
	}
	if w.maybe(4) {
		open = append(open, "spin_lock(&g); last = c; spin_unlock(&g);")
	}
	if w.maybe(5) {
		open = append(open, "spin_lock(&g); if (last) c->next = last; spin_unlock(&g);")
	}
	store := "f->private_data = c;"
	if w.maybe(6) {
		store = "spin_lock(&g); if (!last) last = c; f->private_data = last; spin_unlock(&g);"
	}
	w.r.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	after := w.some(2, func() string { return w.pick("mod_timer(&c->t, 1);", "schedule_work(&c->w);", w.access()) })
	release := w.some(3, func() string {
		return w.pick("del_timer_sync(&c->t);", "cancel_work_sync(&c->w);", w.access(), w.access(), "c->b = 0;")
	})
	exchange := ""
	if w.maybe(6) {
		exchange = "f->private_data = kzalloc(sizeof *c, GFP_KERNEL);"
	}
	return fmt.Sprintf(`#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
struct ctx { spinlock_t l; int l_ready, a, b, buf[4]; struct ctx *next; struct timer_list t; struct work_struct w; };
static struct ctx *last;
static DEFINE_SPINLOCK(g);
static int total;
static void tick(struct timer_list *t)
{
	struct ctx *c = from_timer(c, t, t);
	int k = 0;
	%s
}
static void work(struct work_struct *x)
{
	struct ctx *c = container_of(x, struct ctx, w);
	int k = 1;
	%s
}
static int op(struct inode *i, struct file *f)
{
	struct ctx *c = kzalloc(sizeof *c, GFP_KERNEL);
	int k = 2;
	if (!c)
		return -ENOMEM;
	spin_lock_init(&c->l);
	%s
	%s
	%s
	return 0;
}
static int rel(struct inode *i, struct file *f)
{
	struct ctx *c = f->private_data;
	int k = 3;
	%s
	return 0;
}
static ssize_t rd(struct file *f, char __user *u, size_t n, loff_t *p)
{
	struct ctx *c = f->private_data;
	int k = n;
	%s
	return k;
}
static long ctl(struct file *f, unsigned cmd, unsigned long arg)
{
	struct ctx *c = f->private_data;
	int k = cmd;
	%s
	%s
	return k;
}
static const struct file_operations fo = { .open = op, .release = rel, .read = rd, .unlocked_ioctl = ctl };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
module_init(ini);
`, w.some(2, func() string { return w.pick(w.access(), w.access(), "mod_timer(&c->t, 1);", "schedule_work(&c->w);") }), w.some(2, func() string { return w.pick(w.access(), w.access(), "mod_timer(&c->t, 1);") }),
		strings.Join(open, "\n\t"), store, after, release, w.some(2, w.call), exchange, w.some(2, w.call))
}

// TestRandomDrivers: what verify proves of a driver's pairs, bmc does not refute, which
// is told nothing of the proofs.
func TestRandomDrivers(t *testing.T) {
	t.Logf("seed %d", *seed)
	proved, refuted := 0, 0
	for n := range *driverPrograms {
		w := &driverWriter{rand.New(rand.NewPCG(uint64(*seed), uint64(n)))}
		src := w.program()
		path := filepath.Join(t.TempDir(), fmt.Sprintf("d%d.c", n))
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		facts, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 1})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		free := map[string]bool{}
		for i := range facts.Pairs {
			p := &facts.Pairs[i]
			free[p.First+"|"+p.Second] = p.Verdict == diag.RaceFree
			p.Verdict, p.AllMayRace = diag.Racy, true
		}
		rep, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: 1, Unroll: 2, Yields: "all", Properties: []string{"race"}, Facts: facts})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		for _, r := range rep.Runs {
			k := strings.Join(r.Threads, "|")
			if free[k] {
				proved++
			}
			if strings.Contains(r.Reason, "internal error") {
				t.Errorf("program %d: %s: %s\n%s", n, k, r.Reason, src)
			}
			if len(r.Bugs) == 0 {
				continue
			}
			refuted++
			if free[k] {
				t.Errorf("program %d: verify proves %s, and bmc shows a race:\n%s\n%s", n, k, report.Interleaving(r.Bugs[0].Execution), src)
			}
		}
	}
	t.Logf("%d pairs proved, %d shown to race", proved, refuted)
}
