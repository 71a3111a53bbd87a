/* What a function in a table that no model knows fills in is its caller's; the object is not. */
#include <linux/module.h>

struct sensor {
	int last;
	const char *label;
};
struct sensor_ops {
	int (*read)(struct sensor *s, int *value, const char **label);
};
int sensor_register(struct sensor *s, const struct sensor_ops *ops);
void sensor_unregister(struct sensor *s);

static int sensor_read(struct sensor *s, int *value, const char **label)
{
#ifdef RACY
	s->last = 1; // RACE! if RACY
#endif
	*value = s->last; // RACE! if RACY
	*label = s->label; // NORACE
	return 0;
}

static const struct sensor_ops ops = { .read = sensor_read };
static struct sensor sensor = { .label = "one" };

static int __init dev_init(void)
{
	return sensor_register(&sensor, &ops);
}

static void __exit dev_exit(void)
{
	sensor_unregister(&sensor);
}
module_init(dev_init);
module_exit(dev_exit);
MODULE_LICENSE("GPL");
