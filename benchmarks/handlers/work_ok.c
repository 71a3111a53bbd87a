/* A work item and a timer in one struct, both reached by container_of: they change n under a lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

struct dev {
	spinlock_t lock;
	int n, quiet;
	struct work_struct work;
	struct timer_list timer;
};

static struct dev one;

static void run(struct work_struct *w)
{
	struct dev *d = container_of(w, struct dev, work);

	spin_lock_irq(&d->lock);
	d->n++; // NORACE
	spin_unlock_irq(&d->lock);
}

static void tick(struct timer_list *t)
{
	struct dev *d = from_timer(d, t, timer);

	spin_lock(&d->lock);
	d->n--; // NORACE
	spin_unlock(&d->lock);
}

static int dev_open(struct inode *inode, struct file *file)
{
	schedule_work(&one.work);
	mod_timer(&one.timer, jiffies + 10);
	return 0;
}

static const struct file_operations fops = { .open = dev_open };

static int __init dev_init(void)
{
	spin_lock_init(&one.lock);
	INIT_WORK(&one.work, run);
	timer_setup(&one.timer, tick, 0);
	return register_chrdev(240, "dev", &fops);
}

static void __exit dev_exit(void)
{
	unregister_chrdev(240, "dev");
	cancel_work_sync(&one.work);
	del_timer_sync(&one.timer);
}
module_init(dev_init)
module_exit(dev_exit)
