/* A small PCI network card with a ring of transmit slots. RTNL serialises the control operations; a spin lock protects the
 * ring, the statistics and the chip's configuration against the interrupt handler and transmission.
 *
 * With RACY: The receive filter is changed, and the link state and the count of dropped frames are read or updated, without
 * the lock that the interrupt handler takes for them: RTNL does not stop it. */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/skbuff.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/io.h>

#define NIC_TX_SLOTS 16
#define NIC_TX_STOP (NIC_TX_SLOTS - 2)
#define NIC_MIN_MTU 68
#define NIC_MAX_MTU 1500
#define NIC_MAX_FRAME 1536

#define REG_COMMAND 0x00
#define REG_STATUS 0x04
#define REG_IRQ_MASK 0x08
#define REG_MAC 0x10
#define REG_RX_MODE 0x18
#define REG_RX_LEN 0x1c
#define REG_RX_DATA 0x20
#define REG_TX_SLOT 0x24
#define REG_TX_DATA 0x28
#define REG_TX_DONE 0x2c
#define REG_LINK 0x30
#define REG_MISSED 0x34

#define CMD_RX_ON 0x1
#define CMD_TX_ON 0x2
#define CMD_RESET 0x4
#define IRQ_RX 0x1
#define IRQ_TX 0x2
#define IRQ_LINK 0x4
#define IRQ_ERROR 0x8
#define IRQ_ALL (IRQ_RX | IRQ_TX | IRQ_LINK | IRQ_ERROR)
#define RX_PROMISC 0x1
#define RX_MULTICAST 0x2
#define IFF_PROMISC 0x100

enum { STAT_IRQS, STAT_RESETS, STAT_LINK_CHANGES, STAT_COUNT };

struct nic {
	struct pci_dev *pdev;
	void __iomem *regs;
	spinlock_t lock;
	u16 slot[NIC_TX_SLOTS];	/* length of the frame that is being sent */
	unsigned next, used;
	u8 frame[NIC_MAX_FRAME];
	u32 rx_mode, irq_mask;
	struct net_device_stats stats;
	u64 counter[STAT_COUNT];
	int link;
	u32 msg_enable;		/* RTNL */
	int buffer_size;	/* RTNL, while the interface is down */
};

static u32 nic_read(struct nic *n, unsigned reg)
{
	return readl(n->regs + reg);
}

static void nic_write(struct nic *n, unsigned reg, u32 v)
{
	writel(v, n->regs + reg);
}

/* Called with the lock held. */
static void nic_program(struct nic *n)
{
	nic_write(n, REG_RX_MODE, n->rx_mode); // RACE! if RACY
	nic_write(n, REG_COMMAND, CMD_RX_ON | CMD_TX_ON);
	nic_write(n, REG_IRQ_MASK, n->irq_mask);
}

static void nic_reset(struct nic *n)
{
	nic_write(n, REG_COMMAND, CMD_RESET);
	udelay(10);
	n->counter[STAT_RESETS]++;
}

static void nic_drop_slots(struct nic *n)
{
	unsigned i;

	for (i = 0; i < NIC_TX_SLOTS; i++) {
		if (!n->slot[i])
			continue;
		n->slot[i] = 0;
		n->stats.tx_errors++;
	}
	n->next = 0;
	n->used = 0;
}

static void nic_set_mac(struct net_device *dev, struct nic *n)
{
	u32 low = 0, high;
	int i;

	for (i = 0; i < 4; i++)
		low |= (u32)dev->dev_addr[i] << (8 * i);
	high = dev->dev_addr[4] | (u32)dev->dev_addr[5] << 8;
	nic_write(n, REG_MAC, low);
	nic_write(n, REG_MAC + 4, high);
}

static void nic_receive(struct net_device *dev, struct nic *n)
{
	struct sk_buff *skb;
	unsigned len = nic_read(n, REG_RX_LEN);
	unsigned i;

	if (len == 0 || len > NIC_MAX_FRAME) {
		n->stats.rx_errors++;
		return;
	}
	skb = netdev_alloc_skb(dev, len);
	if (!skb) {
		n->stats.rx_dropped++; // RACE! if RACY
		return;
	}
	for (i = 0; i < len; i++)
		n->frame[i] = nic_read(n, REG_RX_DATA);
	skb_put_data(skb, n->frame, len);
	skb->protocol = eth_type_trans(skb, dev);
	n->stats.rx_packets++;
	n->stats.rx_bytes += len;
	netif_rx(skb);
}

static void nic_reclaim(struct net_device *dev, struct nic *n)
{
	unsigned done = nic_read(n, REG_TX_DONE) % NIC_TX_SLOTS;

	if (!n->slot[done])
		return;
	n->stats.tx_packets++;
	n->stats.tx_bytes += n->slot[done];
	n->slot[done] = 0;
	n->used--;
	if (n->used < NIC_TX_STOP)
		netif_wake_queue(dev);
}

static void nic_link_changed(struct net_device *dev, struct nic *n)
{
	n->link = nic_read(n, REG_LINK) & 1; // RACE! if RACY
	n->counter[STAT_LINK_CHANGES]++;
	if (n->link) // NORACE
		netif_carrier_on(dev);
	else
		netif_carrier_off(dev);
}

static irqreturn_t nic_interrupt(int irq, void *arg)
{
	struct net_device *dev = arg;
	struct nic *n = netdev_priv(dev);
	u32 status;

	spin_lock(&n->lock);
	status = nic_read(n, REG_STATUS) & n->irq_mask;
	if (!status) {
		spin_unlock(&n->lock);
		return IRQ_NONE;
	}
	n->counter[STAT_IRQS]++;
	nic_write(n, REG_STATUS, status);
	if (status & IRQ_RX)
		nic_receive(dev, n);
	if (status & IRQ_TX)
		nic_reclaim(dev, n);
	if (status & IRQ_LINK)
		nic_link_changed(dev, n);
	if (status & IRQ_ERROR) {
		nic_reset(n);
		nic_drop_slots(n);
		nic_program(n);
	}
	spin_unlock(&n->lock);
	return IRQ_HANDLED;
}

static int nic_open(struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;

	n->buffer_size = dev->mtu + 36; // NORACE
	spin_lock_irqsave(&n->lock, flags);
	n->irq_mask = IRQ_ALL; // NORACE
	n->link = 0;
	nic_set_mac(dev, n);
	nic_program(n);
	spin_unlock_irqrestore(&n->lock, flags);
	netif_start_queue(dev);
	return 0;
}

static int nic_stop(struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;

	netif_stop_queue(dev);
	spin_lock_irqsave(&n->lock, flags);
	n->irq_mask = 0; // NORACE
	nic_write(n, REG_IRQ_MASK, 0);
	nic_write(n, REG_COMMAND, 0);
	nic_drop_slots(n);
	spin_unlock_irqrestore(&n->lock, flags);
	return 0;
}

static netdev_tx_t nic_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;
	unsigned i;

	spin_lock_irqsave(&n->lock, flags);
	if (n->used == NIC_TX_SLOTS || n->slot[n->next]) {
		netif_stop_queue(dev);
		spin_unlock_irqrestore(&n->lock, flags);
		return NETDEV_TX_BUSY;
	}
	nic_write(n, REG_TX_SLOT, n->next);
	for (i = 0; i < skb->len; i++)
		nic_write(n, REG_TX_DATA, skb->data[i]); // NORACE
	n->slot[n->next] = skb->len; // NORACE
	n->next = (n->next + 1) % NIC_TX_SLOTS;
	n->used++;
	if (n->used >= NIC_TX_STOP)
		netif_stop_queue(dev);
	spin_unlock_irqrestore(&n->lock, flags);
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static void nic_tx_timeout(struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;

	spin_lock_irqsave(&n->lock, flags);
	nic_reset(n);
	nic_drop_slots(n); // NORACE
	nic_program(n);
	spin_unlock_irqrestore(&n->lock, flags);
	netif_wake_queue(dev);
}

static void nic_set_rx_mode(struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
#ifndef RACY
	unsigned long flags;
#endif

#ifndef RACY
	spin_lock_irqsave(&n->lock, flags);
#endif
	if (dev->flags & IFF_PROMISC)
		n->rx_mode = RX_PROMISC | RX_MULTICAST; // RACE! if RACY
	else
		n->rx_mode = RX_MULTICAST; // RACE! if RACY
	nic_write(n, REG_RX_MODE, n->rx_mode); // NORACE
#ifndef RACY
	spin_unlock_irqrestore(&n->lock, flags);
#endif
}

static struct net_device_stats *nic_get_stats(struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
#ifndef RACY
	unsigned long flags;
#endif

#ifndef RACY
	spin_lock_irqsave(&n->lock, flags);
#endif
	n->stats.rx_dropped += nic_read(n, REG_MISSED); // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&n->lock, flags);
#endif
	return &n->stats;
}

static int nic_set_mac_address(struct net_device *dev, void *p)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;

	if (netif_running(dev))
		return -EBUSY;
	spin_lock_irqsave(&n->lock, flags);
	memcpy(dev->dev_addr, p, sizeof(dev->dev_addr));
	nic_set_mac(dev, n);
	spin_unlock_irqrestore(&n->lock, flags);
	return 0;
}

static int nic_change_mtu(struct net_device *dev, int mtu)
{
	if (mtu < NIC_MIN_MTU || mtu > NIC_MAX_MTU)
		return -EINVAL;
	if (netif_running(dev))
		return -EBUSY;
	dev->mtu = mtu; // NORACE
	return 0;
}

static const struct net_device_ops nic_ops = {
	.ndo_open = nic_open,
	.ndo_stop = nic_stop,
	.ndo_start_xmit = nic_start_xmit,
	.ndo_tx_timeout = nic_tx_timeout,
	.ndo_set_rx_mode = nic_set_rx_mode,
	.ndo_get_stats = nic_get_stats,
	.ndo_set_mac_address = nic_set_mac_address,
	.ndo_change_mtu = nic_change_mtu,
};

static void nic_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	strlcpy(info->driver, "nic", sizeof(info->driver));
	strlcpy(info->version, "1.0", sizeof(info->version));
}

static u32 nic_get_link(struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
#ifndef RACY
	unsigned long flags;
	u32 link;
#endif

#ifdef RACY
	return n->link; // RACE!
#else
	spin_lock_irqsave(&n->lock, flags);
	link = n->link;
	spin_unlock_irqrestore(&n->lock, flags);
	return link;
#endif
}

static u32 nic_get_msglevel(struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);

	return n->msg_enable; // NORACE
}

static void nic_set_msglevel(struct net_device *dev, u32 level)
{
	struct nic *n = netdev_priv(dev);

	n->msg_enable = level; // NORACE
}

static void nic_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *s, u64 *data)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;
	int i;

	spin_lock_irqsave(&n->lock, flags);
	for (i = 0; i < STAT_COUNT; i++)
		data[i] = n->counter[i]; // NORACE
	spin_unlock_irqrestore(&n->lock, flags);
}

static void nic_get_ringparam(struct net_device *dev, struct ethtool_ringparam *r)
{
	r->tx_pending = NIC_TX_SLOTS;
}

static const struct ethtool_ops nic_ethtool_ops = {
	.get_drvinfo = nic_get_drvinfo,
	.get_link = nic_get_link,
	.get_msglevel = nic_get_msglevel,
	.set_msglevel = nic_set_msglevel,
	.get_ethtool_stats = nic_get_ethtool_stats,
	.get_ringparam = nic_get_ringparam,
};

static int nic_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct net_device *dev;
	struct nic *n;
	int err, i;

	err = pci_enable_device(pdev);
	if (err)
		return err;
	err = pci_request_regions(pdev, "nic");
	if (err)
		goto disable;
	err = -ENOMEM;
	dev = alloc_etherdev(sizeof(*n));
	if (!dev)
		goto release;
	n = netdev_priv(dev);
	n->pdev = pdev;
	n->regs = pci_iomap(pdev, 0, 0);
	if (!n->regs)
		goto free;
	spin_lock_init(&n->lock);
	n->rx_mode = RX_MULTICAST;
	n->msg_enable = 1;
	for (i = 0; i < 6; i++)
		dev->dev_addr[i] = nic_read(n, REG_MAC) >> (8 * (i % 4));
	dev->netdev_ops = &nic_ops;
	dev->ethtool_ops = &nic_ethtool_ops;
	dev->mtu = NIC_MAX_MTU;
	pci_set_drvdata(pdev, dev);
	pci_set_master(pdev);
	nic_write(n, REG_IRQ_MASK, 0);
	err = request_irq(pdev->irq, nic_interrupt, IRQF_SHARED, "nic", dev);
	if (err)
		goto unmap;
	err = register_netdev(dev);
	if (!err)
		return 0;
	free_irq(pdev->irq, dev);
unmap:
	pci_iounmap(pdev, n->regs);
free:
	free_netdev(dev);
release:
	pci_release_regions(pdev);
disable:
	pci_disable_device(pdev);
	return err;
}

static void nic_remove(struct pci_dev *pdev)
{
	struct net_device *dev = pci_get_drvdata(pdev);
	struct nic *n = netdev_priv(dev);

	unregister_netdev(dev);
	free_irq(pdev->irq, dev);
	pci_iounmap(pdev, n->regs);
	free_netdev(dev);
	pci_release_regions(pdev);
	pci_disable_device(pdev);
}

static const struct pci_device_id nic_ids[] = {
	{ PCI_DEVICE(0x1f0e, 0x0042) },
	{ }
};

static struct pci_driver nic_driver = {
	.name = "nic",
	.id_table = nic_ids,
	.probe = nic_probe,
	.remove = nic_remove,
};

module_pci_driver(nic_driver)
MODULE_DEVICE_TABLE(pci, nic_ids);
MODULE_LICENSE("GPL");
