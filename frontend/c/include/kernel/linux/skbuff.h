/* Socket buffers. */
#ifndef _WHOOP_LINUX_SKBUFF_H
#define _WHOOP_LINUX_SKBUFF_H
#include <linux/kernel.h>
struct net_device;
struct sk_buff { struct sk_buff *next; unsigned int len; u16 protocol; unsigned char *data; struct net_device *dev; };
struct sk_buff *dev_alloc_skb(unsigned int n);
struct sk_buff *alloc_skb(unsigned int n, gfp_t f);
struct sk_buff *netdev_alloc_skb(struct net_device *d, unsigned int n);
void dev_kfree_skb(struct sk_buff *s);
void dev_kfree_skb_irq(struct sk_buff *s);
void dev_kfree_skb_any(struct sk_buff *s);
void kfree_skb(struct sk_buff *s);
void *skb_put(struct sk_buff *s, unsigned int n);
void *skb_put_data(struct sk_buff *s, const void *d, unsigned int n);
#endif
