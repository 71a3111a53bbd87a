/* The core calls ndo_open and ndo_stop with rtnl held; the work item takes it itself.
 *
 * With RACY: ndo_stop gives it away for a while. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>

static int opened;
static struct work_struct later;

static void count(struct work_struct *w)
{
	rtnl_lock();
	opened++; // RACE! if RACY
	rtnl_unlock();
}

static int my_open(struct net_device *d)
{
	opened++; // RACE! if RACY
	schedule_work(&later);
	return 0;
}

static int my_stop(struct net_device *d)
{
#ifdef RACY
	rtnl_unlock();
#endif
	opened--; // RACE! if RACY
#ifdef RACY
	rtnl_lock();
#endif
	return 0;
}

static const struct net_device_ops ops = { .ndo_open = my_open, .ndo_stop = my_stop };
static struct net_device dev = { .netdev_ops = &ops };

static int __init my_init(void)
{
	INIT_WORK(&later, count);
	return register_netdev(&dev);
}
module_init(my_init);
