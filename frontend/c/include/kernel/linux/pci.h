/* PCI devices: the part of the interface that drivers of moderate size use. */
#ifndef _WHOOP_LINUX_PCI_H
#define _WHOOP_LINUX_PCI_H
#include <linux/kernel.h>
#define PCI_ANY_ID (~0u)
struct pci_device_id { u32 vendor, device, subvendor, subdevice, class, class_mask; unsigned long driver_data; };
#define PCI_DEVICE(v, d) .vendor = (v), .device = (d), .subvendor = PCI_ANY_ID, .subdevice = PCI_ANY_ID
struct pci_dev { unsigned short vendor, device; unsigned int irq; struct device dev; struct resource resource[7]; };
typedef struct { int event; } pm_message_t;
struct pci_driver {
	const char *name;
	const struct pci_device_id *id_table;
	int (*probe)(struct pci_dev *, const struct pci_device_id *);
	void (*remove)(struct pci_dev *);
	int (*suspend)(struct pci_dev *, pm_message_t);
	int (*resume)(struct pci_dev *);
	void (*shutdown)(struct pci_dev *);
	struct device_driver driver;
};
int pci_enable_device(struct pci_dev *d);
void pci_disable_device(struct pci_dev *d);
void pci_set_master(struct pci_dev *d);
int pci_request_regions(struct pci_dev *d, const char *name);
void pci_release_regions(struct pci_dev *d);
void __iomem *pci_iomap(struct pci_dev *d, int bar, unsigned long max);
void pci_iounmap(struct pci_dev *d, void __iomem *a);
int pci_read_config_word(const struct pci_dev *d, int where, u16 *v);
int pci_write_config_word(const struct pci_dev *d, int where, u16 v);
static inline void *pci_get_drvdata(struct pci_dev *d) { return dev_get_drvdata(&d->dev); }
static inline void pci_set_drvdata(struct pci_dev *d, void *p) { dev_set_drvdata(&d->dev, p); }
int pci_register_driver(struct pci_driver *d);
void pci_unregister_driver(struct pci_driver *d);
#define module_pci_driver(d) static int __init d##_init(void) { return pci_register_driver(&d); } module_init(d##_init) \
	static void __exit d##_exit(void) { pci_unregister_driver(&d); } module_exit(d##_exit)
#endif
