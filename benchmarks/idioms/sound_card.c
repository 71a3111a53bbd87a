/* Controls that are added to a card are there for users when the card is registered. */
#include <linux/module.h>
#include <linux/platform_device.h>

struct snd_ctl_elem_value {
	long value[8];
};
struct snd_kcontrol {
	void *private_data;
};
struct snd_kcontrol_new {
	const char *name;
	int (*get)(struct snd_kcontrol *k, struct snd_ctl_elem_value *v);
};
struct snd_card {
	int number;
	void *private_data;
	void (*private_free)(struct snd_card *card);
};
int snd_card_new(struct device *parent, int index, const char *id, struct module *m, int extra, struct snd_card **card);
struct snd_kcontrol *snd_ctl_new1(const struct snd_kcontrol_new *k, void *data);
int snd_ctl_add(struct snd_card *card, struct snd_kcontrol *k);
int snd_card_register(struct snd_card *card);
int snd_card_free(struct snd_card *card);

static int volume, users;
static struct snd_card *card;

static int volume_get(struct snd_kcontrol *k, struct snd_ctl_elem_value *v)
{
	v->value[0] = volume; // RACE! if RACY
	return users; // NORACE
}

static const struct snd_kcontrol_new control = { .name = "Volume", .get = volume_get };

static void card_free(struct snd_card *c)
{
	users = 0; // NORACE
}

static int dev_probe(struct platform_device *pdev)
{
	int err = snd_card_new(&pdev->dev, -1, NULL, THIS_MODULE, 0, &card);

	if (err < 0)
		return err;
	card->private_free = card_free;
	err = snd_ctl_add(card, snd_ctl_new1(&control, NULL));
	if (err < 0)
		return err;
#ifndef RACY
	volume = 7; // NORACE
#endif
	err = snd_card_register(card);
#ifdef RACY
	volume = 7; // RACE! if RACY
#endif
	return err;
}

static int dev_remove(struct platform_device *pdev)
{
	snd_card_free(card);
	return 0;
}

static struct platform_driver driver = { .probe = dev_probe, .remove = dev_remove, .driver = { .name = "card" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
