/* NFC chips that speak HCI, and the transport below them. */
#ifndef _WHOOP_NET_NFC_HCI_H
#define _WHOOP_NET_NFC_HCI_H
#include <net/nfc/nfc.h>
struct nfc_phy_ops {
	int (*write)(void *, struct sk_buff *);
	int (*enable)(void *);
	void (*disable)(void *);
};
struct nfc_hci_dev;
struct nfc_hci_ops {
	int (*open)(struct nfc_hci_dev *);
	void (*close)(struct nfc_hci_dev *);
	int (*hci_ready)(struct nfc_hci_dev *);
	int (*xmit)(struct nfc_hci_dev *, struct sk_buff *);
	int (*start_poll)(struct nfc_hci_dev *, u32, u32);
	void (*stop_poll)(struct nfc_hci_dev *);
	int (*tm_send)(struct nfc_hci_dev *, struct sk_buff *);
	int (*check_presence)(struct nfc_hci_dev *, struct nfc_target *);
	int (*event_received)(struct nfc_hci_dev *, u8, u8, struct sk_buff *);
};
struct nfc_hci_init_data { u8 gate_count; char session_id[8]; };
struct nfc_hci_dev { struct nfc_dev *ndev; void *clientdata; bool shutting_down; };
struct nfc_hci_dev *nfc_hci_allocate_device(struct nfc_hci_ops *o, struct nfc_hci_init_data *i, unsigned long quirks, u32 protocols, const char *llc, int head, int tail, int max);
void nfc_hci_free_device(struct nfc_hci_dev *d);
int nfc_hci_register_device(struct nfc_hci_dev *d);
void nfc_hci_unregister_device(struct nfc_hci_dev *d);
void nfc_hci_recv_frame(struct nfc_hci_dev *d, struct sk_buff *s);
static inline void nfc_hci_set_clientdata(struct nfc_hci_dev *d, void *p) { d->clientdata = p; }
static inline void *nfc_hci_get_clientdata(struct nfc_hci_dev *d) { return d->clientdata; }
#define NFC_PROTO_MIFARE_MASK 0x4
#define NFC_PROTO_ISO14443_MASK 0x10
#endif
