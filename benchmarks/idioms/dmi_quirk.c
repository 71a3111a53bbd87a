/* Functions in a table of systems are called while the table is looked at. */
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>

struct dmi_system_id {
	int (*callback)(const struct dmi_system_id *id);
	const char *ident;
};
int dmi_check_system(const struct dmi_system_id *list);

static int quirk;

static int set_quirk(const struct dmi_system_id *id)
{
	quirk = 1; // RACE! if RACY
	return 0;
}

static const struct dmi_system_id table[] = { { .callback = set_quirk, .ident = "one" }, { } };

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return quirk; // RACE! if RACY
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read };
static struct miscdevice misc = { .minor = 200, .name = "quirk", .fops = &fops };

static int __init dev_init(void)
{
#ifdef RACY
	int err = misc_register(&misc);

	dmi_check_system(table);
	return err;
#else
	dmi_check_system(table);
	return misc_register(&misc);
#endif
}

static void __exit dev_exit(void)
{
	misc_deregister(&misc);
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
