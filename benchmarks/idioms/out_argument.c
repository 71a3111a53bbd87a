/* A function of the kernel writes one number where an argument points to, in a member of
 * the driver's data, and nothing beside it. The struct in which a property's value is
 * returned belongs to the call.
 *
 * With RACY: the member that is written is used without the lock, and the value is kept. */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

union power_supply_propval {
	int intval;
	const char *strval;
};

struct power_supply {
	void *drv_data;
};

struct power_supply_desc {
	const char *name;
	int (*get_property)(struct power_supply *psy, int psp, union power_supply_propval *val);
};

extern struct power_supply *power_supply_register(struct device *parent, const struct power_supply_desc *desc);

struct cell {
	int charge;
	int limit;
	struct mutex lock;
};

static struct cell *cell;
#ifdef RACY
static int last;
#endif

static int read_number(const char *text, int *number)
{
	return kstrtoint(text, 10, number); // RACE! if RACY
}

static ssize_t limit_store(struct device *d, struct device_attribute *a, const char *text, size_t n)
{
#ifdef RACY
	read_number(text, &cell->limit);
#else
	mutex_lock(&cell->lock);
	read_number(text, &cell->limit);
	mutex_unlock(&cell->lock);
#endif
	return n;
}

static ssize_t limit_show(struct device *d, struct device_attribute *a, char *text)
{
	int limit;

	mutex_lock(&cell->lock);
	limit = cell->limit; // RACE! if RACY
	mutex_unlock(&cell->lock);
	return limit + cell->charge; // NORACE
}

static struct device_attribute limit_attribute = { .show = limit_show, .store = limit_store };

static int cell_get(struct power_supply *psy, int psp, union power_supply_propval *val)
{
	val->intval = cell->charge; // NORACE
#ifdef RACY
	last = val->intval; // RACE! if RACY
#endif
	return 0;
}

static const struct power_supply_desc cell_desc = { .name = "cell", .get_property = cell_get };

static int cell_probe(struct platform_device *pdev)
{
	cell = kzalloc(sizeof(*cell), GFP_KERNEL);
	if (!cell)
		return -ENOMEM;
	mutex_init(&cell->lock);
	power_supply_register(&pdev->dev, &cell_desc);
	return device_create_file(&pdev->dev, &limit_attribute);
}

static struct platform_driver driver = { .probe = cell_probe, .driver = { .name = "cell" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
