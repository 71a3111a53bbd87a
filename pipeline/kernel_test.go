package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"whoop/diag"
	"whoop/pipeline"
)

// kernelParts is what the drivers below have in common: a file with a read and a write,
// registered when the module is loaded.
const kernelParts = `
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/semaphore.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#define READ static ssize_t dev_read(struct file *file, char *buf, size_t n, loff_t *pos)
#define WRITE static ssize_t dev_write(struct file *file, const char *buf, size_t n, loff_t *pos)
#define OPEN static int dev_open(struct inode *inode, struct file *file)
#define FILES(...) static const struct file_operations fops = { __VA_ARGS__ }; static struct miscdevice misc = { .fops = &fops };
#define MODULE static int load(void) { return misc_register(&misc); } static void unload(void) { misc_deregister(&misc); } module_init(load) module_exit(unload)
`

// verdicts runs verify on drivers, which are given without kernelParts.
func verdicts(t *testing.T, tests []driverCase) {
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.c")
			if err := os.WriteFile(path, []byte(kernelParts+tc.text), 0o644); err != nil {
				t.Fatal(err)
			}
			rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			if got := rep.Verdict; got != tc.want {
				t.Errorf("%s, want %s; %d races, assumptions %v", got, tc.want, len(rep.Races), rep.Assumptions)
			}
		})
	}
}

type driverCase struct {
	name, text string
	want       diag.Verdict
}

// Locks that are made anew while others use them keep nobody out, and readers of sequence
// locks only throw away what they read.
func TestLocksThatDoNotCount(t *testing.T) {
	verdicts(t, []driverCase{
		{"made in open", "static struct mutex l; static int x; OPEN { mutex_init(&l); return 0; } READ { mutex_lock(&l); x++; mutex_unlock(&l); return 0; } FILES(.open = dev_open, .read = dev_read) MODULE", diag.Racy},
		{"made before", "static struct mutex l; static int x; READ { mutex_lock(&l); x++; mutex_unlock(&l); return 0; } FILES(.read = dev_read) static int load(void) { mutex_init(&l); return misc_register(&misc); } module_init(load)", diag.RaceFree},
		{"made after a pointer", "struct d { struct mutex l; int x; }; static struct d *d; OPEN { mutex_init(&d->l); return 0; } READ { mutex_lock(&d->l); d->x++; mutex_unlock(&d->l); return 0; } FILES(.open = dev_open, .read = dev_read) " +
			"static int load(void) { d = kzalloc(sizeof *d, GFP_KERNEL); return d ? misc_register(&misc) : -ENOMEM; } module_init(load)", diag.Racy},
		{"one for each file", "struct d { struct mutex l; int x; }; OPEN { struct d *d = kzalloc(sizeof *d, GFP_KERNEL); if (!d) return -ENOMEM; mutex_init(&d->l); file->private_data = d; return 0; } " +
			"READ { struct d *d = file->private_data; mutex_lock(&d->l); d->x++; mutex_unlock(&d->l); return 0; } FILES(.open = dev_open, .read = dev_read) MODULE", diag.RaceFree},
		{"cleared with its struct", "static struct { struct mutex l; int x; } d; WRITE { mutex_lock(&d.l); memset(&d, 0, sizeof d); return n; } READ { mutex_lock(&d.l); d.x++; mutex_unlock(&d.l); return 0; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.Racy},
		{"copied pointer", "struct o { int v; }; struct h { struct o *p; }; static struct o o; static struct h h = { &o }; static DEFINE_MUTEX(m); READ { struct h *c = kmemdup(&h, sizeof h, GFP_KERNEL); if (c) c->p->v = 3; return 0; } " +
			"WRITE { mutex_lock(&m); o.v = 4; mutex_unlock(&m); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.Racy},
		{"semaphore of two", "static struct semaphore s = { 2 }; static int x; READ { down(&s); x++; up(&s); return 0; } FILES(.read = dev_read) MODULE", diag.Racy},
		{"semaphore of one", "static struct { int n; struct semaphore s; } d = { 7, { 1 } }; static int x; READ { down(&d.s); x++; up(&d.s); return 0; } FILES(.read = dev_read) MODULE", diag.RaceFree},
		{"reader that asks", "static seqlock_t s; static int a; READ { unsigned q; int v; do { q = read_seqbegin(&s); v = a; } while (read_seqretry(&s, q)); return v; } WRITE { write_seqlock(&s); a++; write_sequnlock(&s); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.RaceFree},
		{"reader that does not ask", "static seqlock_t s; static int a; READ { unsigned q; int v; q = read_seqbegin(&s); v = a; return v; } WRITE { write_seqlock(&s); a++; write_sequnlock(&s); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.Racy},
		{"reader that does not listen", "static seqlock_t s; static int a; READ { unsigned q; int v; q = read_seqbegin(&s); v = a; read_seqretry(&s, q); return v; } WRITE { write_seqlock(&s); a++; write_sequnlock(&s); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.Racy},
		{"reader that writes", "static seqlock_t s; static DEFINE_MUTEX(m); static int a; READ { unsigned q; mutex_lock(&m); do { q = read_seqbegin(&s); a++; } while (read_seqretry(&s, q)); mutex_unlock(&m); return 0; } WRITE { write_seqlock(&s); a++; write_sequnlock(&s); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.Racy},
	})
}

// A callback that is deleted is stopped, unless something that may still run starts it
// again.
func TestStoppedCallbacks(t *testing.T) {
	const timer = "static int x; static struct timer_list t; static struct work_struct w; static void tick(struct timer_list *t) { x++; schedule_work(&w); } " +
		"static void again(struct work_struct *w) { mod_timer(&t, 4); } WRITE { mod_timer(&t, 5); return n; } FILES(.write = dev_write) " +
		"static int load(void) { timer_setup(&t, tick, 0); INIT_WORK(&w, again); return misc_register(&misc); } module_init(load) "
	const tasklet = "static int x; static struct tasklet_struct t; static void later(unsigned long d) { x++; } static irqreturn_t now(int i, void *d) { tasklet_schedule(&t); return IRQ_HANDLED; } " +
		"static int load(void) { tasklet_init(&t, later, 0); return request_irq(3, now, 0, \"x\", &t); } module_init(load) "
	verdicts(t, []driverCase{
		{"started by work", timer + "static void unload(void) { misc_deregister(&misc); del_timer_sync(&t); x = 0; cancel_work_sync(&w); } module_exit(unload)", diag.Racy},
		{"started by each other", timer + "static void unload(void) { misc_deregister(&misc); cancel_work_sync(&w); del_timer_sync(&t); x = 0; } module_exit(unload)", diag.Racy},
		{"started by files", "static int x; static struct timer_list t; static void tick(struct timer_list *t) { x++; } WRITE { mod_timer(&t, 5); return n; } FILES(.write = dev_write) " +
			"static int load(void) { timer_setup(&t, tick, 0); return misc_register(&misc); } static void unload(void) { misc_deregister(&misc); del_timer_sync(&t); x = 0; } module_init(load) module_exit(unload)", diag.RaceFree},
		{"before files are gone", "static int x; static struct timer_list t; static void tick(struct timer_list *t) { x++; } WRITE { mod_timer(&t, 5); return n; } FILES(.write = dev_write) " +
			"static int load(void) { timer_setup(&t, tick, 0); return misc_register(&misc); } static void unload(void) { del_timer_sync(&t); x = 0; misc_deregister(&misc); } module_init(load) module_exit(unload)", diag.Racy},
		{"tasklet, then interrupt", tasklet + "static void unload(void) { tasklet_kill(&t); x = 1; free_irq(3, &t); } module_exit(unload)", diag.Racy},
		{"interrupt, then tasklet", tasklet + "static void unload(void) { free_irq(3, &t); tasklet_kill(&t); x = 1; } module_exit(unload)", diag.RaceFree},
	})
}

// What the embedded headers offer: guards, publication by RCU, threads; a function that
// is not declared may be a macro.
func TestHeaders(t *testing.T) {
	const object = "struct o { struct list_head n; int v; }; static LIST_HEAD(h); static DEFINE_MUTEX(m); "
	const look = "READ { struct o *p; int v = 0; rcu_read_lock(); list_for_each_entry_rcu(p, &h, n) v += p->v; rcu_read_unlock(); return v; } "
	const thread = "static int x; static struct task_struct *t; static int run(void *d) { while (!kthread_should_stop()) x++; return 0; } static int load(void) { t = kthread_run(run, 0, \"x\"); return 0; } module_init(load) "
	verdicts(t, []driverCase{
		{"guard", "static DEFINE_MUTEX(m); static int x; READ { guard(mutex)(&m); x++; if (n > 4) return 1; x--; return 0; } FILES(.read = dev_read) MODULE", diag.RaceFree},
		{"after a guard", "static DEFINE_MUTEX(m); static int x; READ { { guard(mutex)(&m); x++; } x--; return 0; } FILES(.read = dev_read) MODULE", diag.Racy},
		{"scoped guard", "static DEFINE_SPINLOCK(m); static int x; READ { scoped_guard(spinlock, &m) { x++; if (n == 3) return 0; if (n == 4) break; x--; } return 0; } FILES(.read = dev_read) MODULE", diag.RaceFree},
		{"after a scoped guard", "static DEFINE_SPINLOCK(m); static int x; READ { scoped_guard(spinlock, &m) { if (n == 3) return 0; if (n == 4) break; } x--; return 0; } FILES(.read = dev_read) MODULE", diag.Racy},
		{"published when ready", object + look + "WRITE { struct o *p = kzalloc(sizeof *p, GFP_KERNEL); if (!p) return -ENOMEM; p->v = 4; mutex_lock(&m); list_add_rcu(&p->n, &h); mutex_unlock(&m); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.RaceFree},
		{"published too early", object + look + "WRITE { struct o *p = kzalloc(sizeof *p, GFP_KERNEL); if (!p) return -ENOMEM; mutex_lock(&m); list_add_rcu(&p->n, &h); p->v = 4; mutex_unlock(&m); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.Racy},
		{"pointer published when ready", "struct o { int v; }; static struct o *g; READ { struct o *p = rcu_dereference(g); return p ? p->v : 0; } WRITE { struct o *p = kzalloc(sizeof *p, GFP_KERNEL); if (!p) return -ENOMEM; p->v = 4; rcu_assign_pointer(g, p); return n; } FILES(.read = dev_read, .write = dev_write) MODULE", diag.RaceFree},
		{"undeclared", "static int x; READ { frobnicate(x); return 0; } FILES(.read = dev_read) MODULE", diag.Unknown},
		{"one thread", thread + "static void unload(void) { kthread_stop(t); x = 0; } module_exit(unload)", diag.RaceFree},
		{"thread not stopped yet", thread + "static void unload(void) { x = 0; kthread_stop(t); } module_exit(unload)", diag.Racy},
	})
}

// Operations on bits are on the bit that they name, and yield what it was.
func TestBits(t *testing.T) {
	const text = kernelParts + `
#include <linux/bitops.h>
READ {
	unsigned long w = 0, m[3] = {0, 0, 0};
	long far = 70, k = 3;
	int bad = 0;
	set_bit(0, &w); bad |= w != 1; bad |= !test_bit(0, &w); bad |= !test_and_set_bit(0, &w); bad |= test_and_set_bit(5, &w); bad |= w != 33;
	clear_bit(0, &w); bad |= w != 32; change_bit(5, &w); bad |= w != 0; __set_bit(k, &w); bad |= w != 8; bad |= !test_and_clear_bit(k, &w); bad |= w != 0;
	set_bit(far, m); bad |= m[1] != 64 || m[0] || m[2]; set_bit(130, m); bad |= m[2] != 4; bad |= !test_bit(far, m); __clear_bit(far, m); bad |= m[1] != 0;
	BUG_ON(bad%s);
	return 0;
}
FILES(.read = dev_read) MODULE
`
	for what, want := range map[string]diag.Answer{"": diag.NoBug, " == 0": diag.HasBug} {
		path := filepath.Join(t.TempDir(), "t.c")
		if err := os.WriteFile(path, fmt.Appendf(nil, text, what), 0o644); err != nil {
			t.Fatal(err)
		}
		rep, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: 1, Unroll: 2, Yields: "mr", Properties: []string{"assert"}})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Answer() != want {
			t.Errorf("BUG_ON(bad%s): %s, want %s: %v", what, rep.Answer(), want, rep.Runs)
		}
	}
}

// What the kernel changes by itself: a device's flags may have become promiscuous,
// whatever the driver found there before, and its other flags have not changed.
func TestKernelChanges(t *testing.T) {
	const text = `
#include <linux/module.h>
#include <linux/netdevice.h>
static struct net_device *nd;
static void mode(struct net_device *dev) { dev->flags = 5; BUG_ON(%s); }
static const struct net_device_ops ops = { .ndo_set_rx_mode = mode };
static int load(void) { nd = alloc_etherdev(8); if (!nd) return -12; nd->netdev_ops = &ops; return register_netdev(nd); }
static void unload(void) { unregister_netdev(nd); free_netdev(nd); }
module_init(load); module_exit(unload);
MODULE_LICENSE("GPL");
`
	for cond, want := range map[string]diag.Answer{"dev->flags & 0x100": diag.HasBug, "(dev->flags & ~0x300) != 5": diag.NoBug} {
		path := filepath.Join(t.TempDir(), "t.c")
		if err := os.WriteFile(path, fmt.Appendf(nil, text, cond), 0o644); err != nil {
			t.Fatal(err)
		}
		rep, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: 1, Unroll: 2, Yields: "mr", Properties: []string{"assert"}})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Answer() != want {
			t.Errorf("BUG_ON(%s): %s, want %s: %v", cond, rep.Answer(), want, rep.Runs)
		}
	}
}

// A device that admits one opener at a time: its files are not released side by side.
func TestSingleOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.c")
	text := kernelParts + `
#include <linux/bitops.h>
static unsigned long busy;
static int x;
OPEN { if (test_and_set_bit(0, &busy)) return -EBUSY; x = 0; return 0; }
static int dev_release(struct inode *inode, struct file *file) { x = 1; clear_bit(0, &busy); return 0; }
FILES(.open = dev_open, .release = dev_release) MODULE
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: 2, Unroll: 2, Yields: "mr", Properties: []string{"race"}})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Answer() != diag.Bounded {
		t.Errorf("%s: %v", rep.Answer(), rep.Runs)
	}
}

// What a load function does once others may run is not looked at: that is not "no bug".
func TestInitNotLookedAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.c")
	text := kernelParts + `
static int x;
READ { return x; } FILES(.read = dev_read)
static int load(void) { int err = misc_register(&misc); x = 5; return err; } module_init(load)
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: 1, Unroll: 2, Yields: "mr", Properties: []string{"race"}})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Answer() != diag.Partial {
		t.Errorf("%s: %v", rep.Answer(), rep.Runs)
	}
}
