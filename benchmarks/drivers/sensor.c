/* Temperature and fan sensors read over slow registers: a cache that is renewed when it is old, limits and fan control by
 * attributes, a delayed work that watches the limits. One mutex.
 *
 * With RACY: Sensors: the attribute that shows the cache returns it after the unlock, and the limit is stored without the
 * mutex. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>

#define TEMPS 4
#define FANS 3
#define REG_TEMP 0x20
#define REG_FAN 0x28
#define REG_LIMIT 0x30
#define REG_PWM 0x40
#define BASE 0x295

struct sensor {
	struct mutex lock;
	unsigned long updated;
	int valid;
	int temp[TEMPS];
	unsigned fan[FANS];
	int limit;
	u8 pwm[FANS];
	unsigned interval;
	u32 alarms, updates;
	struct delayed_work watch;
};

static struct sensor sn;

/* Register access; the caller holds the mutex. */
static u8 get_reg(u8 reg)
{
	outb(reg, BASE);
	return inb(BASE + 1);
}

static void set_reg(u8 reg, u8 v)
{
	outb(reg, BASE);
	outb(v, BASE + 1);
}

/* Renews the cache if it is old; the caller holds the mutex. */
static void renew(void)
{
	unsigned i;

	if (sn.valid && jiffies - sn.updated < sn.interval) // NORACE
		return;
	for (i = 0; i < TEMPS; i++)
		sn.temp[i] = (signed char)get_reg(REG_TEMP + i) * 1000; // RACE! if RACY
	for (i = 0; i < FANS; i++) {
		u8 v = get_reg(REG_FAN + i);

		sn.fan[i] = v ? 1350000u / v : 0; // NORACE
	}
	sn.updated = jiffies; // NORACE
	sn.valid = 1; // NORACE
	sn.updates++; // NORACE
}

static ssize_t temp_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int t;

	mutex_lock(&sn.lock);
	renew();
#ifdef RACY
	mutex_unlock(&sn.lock);
#endif
	t = sn.temp[0]; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&sn.lock);
#endif
	return sprintf(buf, "%d\n", t);
}

static ssize_t max_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int i, t;

	mutex_lock(&sn.lock);
	renew();
	t = sn.temp[0]; // NORACE
	for (i = 1; i < TEMPS; i++)
		if (sn.temp[i] > t) // NORACE
			t = sn.temp[i]; // NORACE
	mutex_unlock(&sn.lock);
	return sprintf(buf, "%d\n", t);
}

static ssize_t fan_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned v;

	mutex_lock(&sn.lock);
	renew();
	v = sn.fan[0]; // NORACE
	mutex_unlock(&sn.lock);
	return sprintf(buf, "%u\n", v);
}

static ssize_t pwm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u8 v;

	mutex_lock(&sn.lock);
	v = sn.pwm[0]; // NORACE
	mutex_unlock(&sn.lock);
	return sprintf(buf, "%u\n", v);
}

static ssize_t pwm_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	unsigned long v;
	int err;

	err = kstrtoul(buf, 10, &v);
	if (err)
		return err;
	if (v > 255)
		return -EINVAL;
	mutex_lock(&sn.lock);
	sn.pwm[0] = v; // NORACE
	set_reg(REG_PWM, v);
	mutex_unlock(&sn.lock);
	return n;
}

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int v;

	mutex_lock(&sn.lock);
	v = sn.limit; // RACE! if RACY
	mutex_unlock(&sn.lock);
	return sprintf(buf, "%d\n", v);
}

static ssize_t limit_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	unsigned long v;
	int err;

	err = kstrtoul(buf, 10, &v);
	if (err)
		return err;
#ifdef RACY
	sn.limit = v; // RACE!
#endif
	mutex_lock(&sn.lock);
#ifndef RACY
	sn.limit = v; // NORACE
#endif
	set_reg(REG_LIMIT, v / 1000);
	sn.valid = 0; // NORACE
	mutex_unlock(&sn.lock);
	return n;
}

static ssize_t interval_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	unsigned long v;
	int err;

	err = kstrtoul(buf, 10, &v);
	if (err)
		return err;
	mutex_lock(&sn.lock);
	sn.interval = msecs_to_jiffies(v); // NORACE
	mutex_unlock(&sn.lock);
	return n;
}

static ssize_t alarms_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u32 a, u;

	mutex_lock(&sn.lock);
	a = sn.alarms; // NORACE
	u = sn.updates; // NORACE
	mutex_unlock(&sn.lock);
	return sprintf(buf, "%u %u\n", a, u);
}

static void watch(struct work_struct *w)
{
	unsigned delay;
	int i;

	mutex_lock(&sn.lock);
	renew();
	for (i = 0; i < TEMPS; i++)
		if (sn.temp[i] > sn.limit) { // RACE! if RACY
			sn.alarms++; // NORACE
			set_reg(REG_PWM, 255);
		}
	delay = sn.interval * 4; // NORACE
	mutex_unlock(&sn.lock);
	schedule_delayed_work(&sn.watch, delay);
}

static DEVICE_ATTR(temp, 0444, temp_show, NULL);
static DEVICE_ATTR(max, 0444, max_show, NULL);
static DEVICE_ATTR(fan, 0444, fan_show, NULL);
static DEVICE_ATTR(pwm, 0644, pwm_show, pwm_store);
static DEVICE_ATTR(limit, 0644, limit_show, limit_store);
static DEVICE_ATTR(interval, 0200, NULL, interval_store);
static DEVICE_ATTR(alarms, 0444, alarms_show, NULL);

static void create_files(struct device *dev)
{
	device_create_file(dev, &dev_attr_temp);
	device_create_file(dev, &dev_attr_max);
	device_create_file(dev, &dev_attr_fan);
	device_create_file(dev, &dev_attr_pwm);
	device_create_file(dev, &dev_attr_limit);
	device_create_file(dev, &dev_attr_interval);
	device_create_file(dev, &dev_attr_alarms);
}

static void remove_files(struct device *dev)
{
	device_remove_file(dev, &dev_attr_temp);
	device_remove_file(dev, &dev_attr_max);
	device_remove_file(dev, &dev_attr_fan);
	device_remove_file(dev, &dev_attr_pwm);
	device_remove_file(dev, &dev_attr_limit);
	device_remove_file(dev, &dev_attr_interval);
	device_remove_file(dev, &dev_attr_alarms);
}

static int sensor_probe(struct platform_device *pdev)
{
	mutex_init(&sn.lock);
	sn.interval = HZ;
	sn.limit = 80000;
	if (!request_region(BASE, 2, "sensor"))
		return -EBUSY;
	INIT_DELAYED_WORK(&sn.watch, watch);
	create_files(&pdev->dev);
	schedule_delayed_work(&sn.watch, HZ);
	return 0;
}

static int sensor_remove(struct platform_device *pdev)
{
	remove_files(&pdev->dev);
	cancel_delayed_work_sync(&sn.watch);
	release_region(BASE, 2);
	return 0;
}

static struct platform_driver sensor_driver = {
	.probe = sensor_probe,
	.remove = sensor_remove,
	.driver = { .name = "sensor" },
};

static int __init sensor_init(void) { return platform_driver_register(&sensor_driver); }
static void __exit sensor_exit(void) { platform_driver_unregister(&sensor_driver); }
module_init(sensor_init)
module_exit(sensor_exit)
MODULE_LICENSE("GPL");
