/* A PCI network card with a transmit and a receive ring. The interrupt handler and the transmit path share the rings under a
 * spinlock; the message level is RTNL's.
 *
 * With RACY: A PCI network card: the handler counts receive errors without the lock, and the statistics reset them with it;
 * the receive mode is written to the shadow register without the lock. */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/io.h>

#define TX_RING 16
#define RX_RING 16
#define RX_SIZE 1536
#define REG_CMD 0x37
#define REG_IMR 0x3c
#define REG_ISR 0x3e
#define REG_TXD 0x20
#define REG_RXCFG 0x44
#define CMD_TX 0x04
#define CMD_RX 0x08
#define CMD_RESET 0x10
#define INT_RX 0x01
#define INT_TX 0x04
#define INT_ERR 0x20

struct card {
	spinlock_t lock;
	void __iomem *regs;
	struct sk_buff *tx[TX_RING];
	unsigned tx_head, tx_count;
	unsigned char *rx[RX_RING];
	unsigned rx_next;
	u32 rx_config;
	u32 rx_errors, tx_done, resets;
	u32 msg_level;
	u16 imr;
};

static struct card *card;
static struct net_device *card_dev;

static void card_irq_mask(struct card *c, u16 mask)
{
	c->imr = mask; // NORACE
	writew(mask, c->regs + REG_IMR);
}

static void card_reset(struct card *c)
{
	unsigned i;

	writeb(CMD_RESET, c->regs + REG_CMD);
	for (i = 0; i < 100; i++) {
		if (!(readb(c->regs + REG_CMD) & CMD_RESET))
			break;
		udelay(10);
	}
	c->resets++; // NORACE
	writeb(CMD_TX | CMD_RX, c->regs + REG_CMD);
	writel(c->rx_config, c->regs + REG_RXCFG); // RACE! if RACY
}

static void drop_tx(struct card *c)
{
	while (c->tx_count > 0) {
		dev_kfree_skb_irq(c->tx[c->tx_head]);
		c->tx[c->tx_head] = NULL;
		c->tx_head = (c->tx_head + 1) % TX_RING;
		c->tx_count--;
	}
}

static void tx_interrupt(struct card *c)
{
	while (c->tx_count > 0 && readl(c->regs + REG_TXD + 4 * (c->tx_head % 4))) {
		dev_kfree_skb_irq(c->tx[c->tx_head]);
		c->tx[c->tx_head] = NULL;
		c->tx_head = (c->tx_head + 1) % TX_RING;
		c->tx_count--; // NORACE
		c->tx_done++; // NORACE
	}
	if (c->tx_count < TX_RING)
		netif_wake_queue(card_dev);
}

static void rx_interrupt(struct card *c)
{
	struct sk_buff *skb;
	unsigned budget = RX_RING;
	u32 status;

	while (budget-- > 0) {
		status = readl(c->regs + 0x30);
		if (!(status & 1))
			break;
		skb = dev_alloc_skb(RX_SIZE);
		if (!skb)
			break;
		memcpy(skb_put(skb, status >> 16), c->rx[c->rx_next], status >> 16);
		c->rx_next = (c->rx_next + 1) % RX_RING; // NORACE
		skb->protocol = eth_type_trans(skb, card_dev);
		netif_rx(skb);
	}
}

static irqreturn_t card_interrupt(int irq, void *arg)
{
	struct card *c = card;
	u16 isr = readw(c->regs + REG_ISR);

	if (!isr)
		return IRQ_NONE;
#ifndef RACY
	spin_lock(&c->lock);
#endif
	if (isr & INT_ERR)
		c->rx_errors++; // RACE! if RACY
#ifdef RACY
	spin_lock(&c->lock);
#endif
	if (isr & INT_RX)
		rx_interrupt(c);
	if (isr & INT_TX)
		tx_interrupt(c);
	writew(isr, c->regs + REG_ISR);
	spin_unlock(&c->lock);
	return IRQ_HANDLED;
}

static netdev_tx_t card_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct card *c = card;
	unsigned long flags;
	unsigned slot;

	spin_lock_irqsave(&c->lock, flags);
	if (c->tx_count == TX_RING) {
		netif_stop_queue(dev);
		spin_unlock_irqrestore(&c->lock, flags);
		return NETDEV_TX_BUSY;
	}
	slot = (c->tx_head + c->tx_count) % TX_RING;
	c->tx[slot] = skb; // NORACE
	c->tx_count++; // NORACE
	writel(skb->len, c->regs + REG_TXD + 4 * (slot % 4));
	spin_unlock_irqrestore(&c->lock, flags);
	return NETDEV_TX_OK;
}

static int card_open(struct net_device *dev)
{
	struct card *c = card;
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	card_reset(c);
	card_irq_mask(c, INT_RX | INT_TX | INT_ERR);
	spin_unlock_irqrestore(&c->lock, flags);
	netif_start_queue(dev);
	return 0;
}

static int card_stop(struct net_device *dev)
{
	struct card *c = card;
	unsigned long flags;

	netif_stop_queue(dev);
	spin_lock_irqsave(&c->lock, flags);
	card_irq_mask(c, 0);
	drop_tx(c);
	spin_unlock_irqrestore(&c->lock, flags);
	return 0;
}

static void card_timeout(struct net_device *dev)
{
	struct card *c = card;
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	card_reset(c);
	drop_tx(c);
	spin_unlock_irqrestore(&c->lock, flags);
	netif_wake_queue(dev);
}

static void card_rx_mode(struct net_device *dev)
{
	struct card *c = card;
#ifndef RACY
	unsigned long flags;
#endif

#ifndef RACY
	spin_lock_irqsave(&c->lock, flags);
#endif
	c->rx_config = dev->flags & 0x100 ? 0xf : 0xa; // RACE! if RACY
	writel(c->rx_config, c->regs + REG_RXCFG); // NORACE
#ifndef RACY
	spin_unlock_irqrestore(&c->lock, flags);
#endif
}

static u32 card_get_msglevel(struct net_device *dev)
{
	return card->msg_level; // NORACE
}

static void card_set_msglevel(struct net_device *dev, u32 v)
{
	card->msg_level = v; // NORACE
}

static void card_stats(struct net_device *dev, struct ethtool_stats *s, u64 *data)
{
	struct card *c = card;
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	data[0] = c->rx_errors; // RACE! if RACY
	data[1] = c->tx_done; // NORACE
	data[2] = c->resets; // NORACE
	spin_unlock_irqrestore(&c->lock, flags);
}

static const struct net_device_ops card_netdev_ops = {
	.ndo_open = card_open,
	.ndo_stop = card_stop,
	.ndo_start_xmit = card_xmit,
	.ndo_tx_timeout = card_timeout,
	.ndo_set_rx_mode = card_rx_mode,
};

static const struct ethtool_ops card_ethtool_ops = {
	.get_msglevel = card_get_msglevel,
	.set_msglevel = card_set_msglevel,
	.get_ethtool_stats = card_stats,
};

static int card_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	unsigned i;
	int err = -ENOMEM;

	card = kzalloc(sizeof(*card), GFP_KERNEL);
	if (!card)
		return -ENOMEM;
	spin_lock_init(&card->lock);
	for (i = 0; i < RX_RING; i++) {
		card->rx[i] = kmalloc(RX_SIZE, GFP_KERNEL);
		if (!card->rx[i])
			goto free;
	}
	card->regs = pci_iomap(pdev, 1, 0);
	if (!card->regs)
		goto free;
	card_dev = alloc_etherdev(0);
	if (!card_dev)
		goto free;
	card_dev->irq = pdev->irq;
	card_dev->netdev_ops = &card_netdev_ops;
	card_dev->ethtool_ops = &card_ethtool_ops;
	err = request_irq(pdev->irq, card_interrupt, IRQF_SHARED, "card", card);
	if (err)
		goto free;
	err = register_netdev(card_dev);
	if (err)
		goto irq;
	return 0;
irq:
	free_irq(pdev->irq, card);
free:
	for (i = 0; i < RX_RING; i++)
		kfree(card->rx[i]);
	kfree(card);
	return err;
}

static void card_remove(struct pci_dev *pdev)
{
	unregister_netdev(card_dev);
	free_irq(pdev->irq, card);
	pci_iounmap(pdev, card->regs);
	free_netdev(card_dev);
	kfree(card);
}

static const struct pci_device_id card_ids[] = { { PCI_DEVICE(0x10ec, 0x8139) }, { 0 } };

static struct pci_driver card_driver = {
	.name = "card",
	.id_table = card_ids,
	.probe = card_probe,
	.remove = card_remove,
};

module_pci_driver(card_driver)
MODULE_LICENSE("GPL");
