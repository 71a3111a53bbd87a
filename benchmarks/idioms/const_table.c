/* A constant table of texts is not written, whoever gets it; a pointer to constant text is a variable. */
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>

int show_names(unsigned int n, const char *const names[]);

#ifdef RACY
static const char *names[2] = { "on", "off" };
static const char *const *current_name = names;
#else
static const char *const names[2] = { "on", "off" };
static const char *const *const current_name = names;
#endif

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return show_names(2, names) // RACE! if RACY
		+ (*current_name != NULL); // RACE! if RACY
}

static ssize_t dev_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
#ifdef RACY
	names[1] = "none"; // RACE! if RACY
	current_name = &names[1]; // RACE! if RACY
#endif
	return n;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read, .write = dev_write };
static struct miscdevice misc = { .minor = 200, .name = "names", .fops = &fops };
module_misc_device(misc);
MODULE_LICENSE("GPL");
