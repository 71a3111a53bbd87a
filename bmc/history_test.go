package bmc_test

import (
	"strings"
	"testing"

	"whoop/diag"
	"whoop/pipeline"
	"whoop/report"
)

// historyCases are drivers in which a pair races, or cannot, depending on what another
// entry point did before.
var historyCases = []struct {
	name, pair, src string
	races           bool
}{
	{"another entry arms it", "rd,rd", `static int armed, n;
static DEFINE_MUTEX(m);
static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)
{
	int a;

	mutex_lock(&m);
	a = armed;
	mutex_unlock(&m);
	return a ? n++ : 0;
}
static ssize_t wr(struct file *f, const char __user *u, size_t k, loff_t *p)
{
	mutex_lock(&m);
	armed = 1;
	mutex_unlock(&m);
	return 0;
}
static const struct file_operations fo = { .read = rd, .write = wr };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
`, true},
	{"another entry gets what was opened", "rd,rd", `static int armed, n;
static DEFINE_MUTEX(m);
static int op(struct inode *i, struct file *f) { f->private_data = &armed; return 0; }
static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)
{
	int a;

	mutex_lock(&m);
	a = armed;
	mutex_unlock(&m);
	return a == 7 ? n++ : 0;
}
static ssize_t wr(struct file *f, const char __user *u, size_t k, loff_t *p)
{
	int *a = f->private_data;

	mutex_lock(&m);
	*a = 7;
	mutex_unlock(&m);
	return 0;
}
static const struct file_operations fo = { .open = op, .read = rd, .write = wr };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
`, true},
	{"it takes a failing call", "rd,rd", `static int n;
static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)
{
	void *x = kmalloc(8, GFP_KERNEL);

	if (!x)
		n++;
	kfree(x);
	return 0;
}
static const struct file_operations fo = { .read = rd };
static int __init ini(void) { return register_chrdev(240, "x", &fo); }
`, true},
	{"nobody can open what the other one gets", "rd,rd", `static int armed, n;
static DEFINE_MUTEX(m);
static int op(struct inode *i, struct file *f) { f->private_data = &armed; return -EBUSY; }
static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)
{
	int a;

	mutex_lock(&m);
	a = armed;
	mutex_unlock(&m);
	return a ? n++ : 0;
}
static ssize_t wr(struct file *f, const char __user *u, size_t k, loff_t *p)
{
	mutex_lock(&m);
	armed = 1;
	mutex_unlock(&m);
	return 0;
}
static const struct file_operations fo = { .open = op, .write = wr };
static const struct file_operations go = { .read = rd };
static int __init ini(void) { return register_chrdev(240, "x", &fo) ? -1 : register_chrdev(241, "y", &go); }
`, false},
	{"the other one is never registered", "rd,rd", `static int armed, n;
static DEFINE_MUTEX(m);
static irqreturn_t h(int irq, void *data) { armed = 1; return IRQ_HANDLED; }
static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)
{
	int a;

	mutex_lock(&m);
	a = armed;
	mutex_unlock(&m);
	return a ? n++ : 0;
}
static int never(void) { return request_irq(3, h, 0, "x", &n); }
static const struct file_operations fo = { .read = rd };
static int __init ini(void) { return register_chrdev(240, "x", &fo) ? never() : 0; }
`, false},
}

// TestHistory: a race of two entry points is shown, too, where a third one must have run
// before; and not where that one cannot have run. The execution says what ran.
func TestHistory(t *testing.T) {
	for _, c := range historyCases {
		t.Run(c.name, func(t *testing.T) {
			r := handlerPair(t, c.src, c.pair)
			if (r.Answer == diag.HasBug) != c.races {
				t.Fatalf("%s, want a bug: %v; %s", r.Answer, c.races, r.Reason)
			}
			if alone := handlerPair(t, c.src, c.pair, func(o *pipeline.BMCOptions) { o.Before = -1 }); len(alone.Bugs) > 0 {
				t.Errorf("the pair by itself: %s", alone.Answer)
			}
			if c.races && strings.Contains(c.src, "armed = ") && !strings.Contains(report.Interleaving(r.Bugs[0].Execution), "called before: ") {
				t.Errorf("the execution does not say what ran before:\n%s", report.Interleaving(r.Bugs[0].Execution))
			}
			if c.races && strings.Contains(c.src, "kmalloc") && strings.Contains(report.Interleaving(r.Bugs[0].Execution), "called before: ") {
				t.Errorf("nothing need have run before:\n%s", report.Interleaving(r.Bugs[0].Execution))
			}
		})
	}
}
