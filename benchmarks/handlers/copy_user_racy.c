/* As many bytes as user space says are copied into a buffer, without the mutex. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#define SIZE 16

static DEFINE_MUTEX(lock);
static char text[SIZE];

static ssize_t text_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	if (n > SIZE)
		return -EINVAL;
	if (copy_from_user(text, buf, n)) // RACE!
		return -EFAULT;
	return n;
}

static ssize_t text_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	char first;

	mutex_lock(&lock);
	first = text[0]; // RACE!
	mutex_unlock(&lock);
	return first;
}

static const struct file_operations text_fops = { .owner = THIS_MODULE, .read = text_read, .write = text_write };
static struct miscdevice text_dev = { .minor = MISC_DYNAMIC_MINOR, .name = "text", .fops = &text_fops };

module_misc_device(text_dev);
MODULE_LICENSE("GPL");
