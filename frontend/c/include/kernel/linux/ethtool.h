/* Ethtool. */
#ifndef _WHOOP_LINUX_ETHTOOL_H
#define _WHOOP_LINUX_ETHTOOL_H
#include <linux/netdevice.h>
struct ethtool_drvinfo { char driver[32], version[32], bus_info[32]; };
struct ethtool_stats { u32 cmd, n_stats; };
struct ethtool_ringparam { u32 rx_pending, tx_pending; };
struct ethtool_ops {
	void (*get_drvinfo)(struct net_device *, struct ethtool_drvinfo *);
	u32 (*get_link)(struct net_device *);
	u32 (*get_msglevel)(struct net_device *);
	void (*set_msglevel)(struct net_device *, u32);
	void (*get_ethtool_stats)(struct net_device *, struct ethtool_stats *, u64 *);
	void (*get_ringparam)(struct net_device *, struct ethtool_ringparam *);
};
#endif
