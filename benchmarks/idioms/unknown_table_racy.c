/* A subsystem that the models do not know calls the functions of the table that it gets, as soon as it has it. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct gizmo;
struct gizmo_ops {
	int (*poke)(struct gizmo *g);
};
int gizmo_register(const struct gizmo_ops *ops);
void gizmo_unregister(const struct gizmo_ops *ops);

static int pokes, level;

static int dev_poke(struct gizmo *g)
{
	pokes++; // RACE!
	return level; // RACE!
}

static const struct gizmo_ops ops = { .poke = dev_poke };

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return 0;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "dev", .fops = &fops };

static int __init dev_init(void)
{
	int err;

	level = 1; // NORACE
	err = gizmo_register(&ops);
	if (err)
		return err;
	level = 2; // RACE!
	return misc_register(&misc);
}
module_init(dev_init);
MODULE_LICENSE("GPL");
