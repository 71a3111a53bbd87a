/* NFC adapters. */
#ifndef _WHOOP_NET_NFC_H
#define _WHOOP_NET_NFC_H
#include <linux/kernel.h>
#include <linux/skbuff.h>
struct nfc_target { u32 idx; };
struct nfc_dev;
typedef void (*data_exchange_cb_t)(void *context, struct sk_buff *skb, int err);
struct nfc_ops {
	int (*dev_up)(struct nfc_dev *);
	int (*dev_down)(struct nfc_dev *);
	int (*start_poll)(struct nfc_dev *, u32, u32);
	void (*stop_poll)(struct nfc_dev *);
	int (*activate_target)(struct nfc_dev *, struct nfc_target *, u32);
	void (*deactivate_target)(struct nfc_dev *, struct nfc_target *, u8);
	int (*im_transceive)(struct nfc_dev *, struct nfc_target *, struct sk_buff *, data_exchange_cb_t, void *);
	int (*tm_send)(struct nfc_dev *, struct sk_buff *);
};
struct nfc_dev { struct device dev; const struct nfc_ops *ops; };
struct nfc_dev *nfc_allocate_device(struct nfc_ops *o, u32 protocols, int head, int tail);
void nfc_free_device(struct nfc_dev *d);
int nfc_register_device(struct nfc_dev *d);
void nfc_unregister_device(struct nfc_dev *d);
static inline void nfc_set_drvdata(struct nfc_dev *d, void *p) { dev_set_drvdata(&d->dev, p); }
static inline void *nfc_get_drvdata(struct nfc_dev *d) { return dev_get_drvdata(&d->dev); }
int nfc_targets_found(struct nfc_dev *d, struct nfc_target *t, int n);
#endif
