/* Network devices. */
#ifndef _WHOOP_LINUX_NETDEVICE_H
#define _WHOOP_LINUX_NETDEVICE_H
#include <linux/kernel.h>
#include <linux/skbuff.h>
#define NETDEV_TX_OK 0
#define NETDEV_TX_BUSY 16
struct net_device_stats { unsigned long rx_packets, tx_packets, rx_bytes, tx_bytes, rx_errors, tx_errors, rx_dropped, tx_dropped; };
struct ifreq { int ifr_flags; };
struct net_device_ops {
	int (*ndo_init)(struct net_device *);
	void (*ndo_uninit)(struct net_device *);
	int (*ndo_open)(struct net_device *);
	int (*ndo_stop)(struct net_device *);
	netdev_tx_t (*ndo_start_xmit)(struct sk_buff *, struct net_device *);
	void (*ndo_set_rx_mode)(struct net_device *);
	int (*ndo_set_mac_address)(struct net_device *, void *);
	int (*ndo_validate_addr)(struct net_device *);
	int (*ndo_do_ioctl)(struct net_device *, struct ifreq *, int);
	int (*ndo_change_mtu)(struct net_device *, int);
	void (*ndo_tx_timeout)(struct net_device *);
	struct net_device_stats *(*ndo_get_stats)(struct net_device *);
};
struct ethtool_ops;
struct net_device {
	char name[16];
	unsigned int irq, flags, mtu;
	unsigned long base_addr;
	const struct net_device_ops *netdev_ops;
	const struct ethtool_ops *ethtool_ops;
	unsigned char dev_addr[6];
	struct net_device_stats stats;
	struct device dev;
	void *ml_priv;
	void *__priv;
};
/* The driver's part is an object of its own here; in the kernel it follows the device. */
static inline struct net_device *__alloc_etherdev(struct net_device *d, void *priv) { if (d) d->__priv = priv; return d; }
#define alloc_etherdev(n) __alloc_etherdev(kzalloc(sizeof(struct net_device), GFP_KERNEL), kzalloc(n, GFP_KERNEL))
void free_netdev(struct net_device *d);
int register_netdev(struct net_device *d);
void unregister_netdev(struct net_device *d);
static inline void *netdev_priv(const struct net_device *d) { return d->__priv; }
void netif_start_queue(struct net_device *d);
void netif_stop_queue(struct net_device *d);
void netif_wake_queue(struct net_device *d);
bool netif_queue_stopped(const struct net_device *d);
bool netif_running(const struct net_device *d);
void netif_carrier_on(struct net_device *d);
void netif_carrier_off(struct net_device *d);
int netif_rx(struct sk_buff *s);
int eth_validate_addr(struct net_device *d);
u16 eth_type_trans(struct sk_buff *s, struct net_device *d);
void rtnl_lock(void);
void rtnl_unlock(void);
#endif
