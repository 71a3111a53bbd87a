/* The function that alloc_netdev calls with the device it has made runs once for that
 * device, before anything else knows it.
 *
 * With RACY: it is called again when the device is there. */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>

struct net_device *alloc_netdev_mqs(int size, const char *name, unsigned char type,
				    void (*setup)(struct net_device *), unsigned int tx, unsigned int rx);

struct port {
	int limit;
};

static struct net_device *the_dev;

static int port_open(struct net_device *dev)
{
	struct port *p = netdev_priv(dev);

	return p->limit; // RACE! if RACY
}

static const struct net_device_ops port_ops = { .ndo_open = port_open };

static void port_setup(struct net_device *dev)
{
	struct port *p = netdev_priv(dev);

	p->limit = 3; // RACE! if RACY
	dev->netdev_ops = &port_ops;
}

static int __init port_init(void)
{
	int err;

	the_dev = alloc_netdev_mqs(sizeof(struct port), "port%d", 0, port_setup, 1, 1);
	if (!the_dev)
		return -ENOMEM;
	err = register_netdev(the_dev);
	if (err) {
		free_netdev(the_dev);
		return err;
	}
#ifdef RACY
	port_setup(the_dev);
#endif
	return 0;
}

static void __exit port_exit(void)
{
	unregister_netdev(the_dev);
	free_netdev(the_dev);
}

module_init(port_init);
module_exit(port_exit);
MODULE_LICENSE("GPL");
