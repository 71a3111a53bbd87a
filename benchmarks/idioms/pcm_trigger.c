/* Playback and capture are started at the same time: the lock of a stream is one each. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

struct snd_card {
	int number;
	void *private_data;
};
struct snd_pcm {
	struct snd_card *card;
	void *private_data;
};
struct snd_pcm_substream {
	struct snd_pcm *pcm;
	void *private_data;
	int stream;
};
struct snd_pcm_ops {
	int (*open)(struct snd_pcm_substream *substream);
	int (*trigger)(struct snd_pcm_substream *substream, int cmd);
};
int snd_card_new(struct device *parent, int index, const char *id, struct module *m, int extra, struct snd_card **card);
int snd_card_register(struct snd_card *card);
int snd_card_free(struct snd_card *card);
int snd_pcm_new(struct snd_card *card, const char *id, int device, int playback, int capture, struct snd_pcm **pcm);
void snd_pcm_set_ops(struct snd_pcm *pcm, int direction, const struct snd_pcm_ops *ops);

struct chip {
	spinlock_t lock;
	unsigned int control;
};

static int chip_open(struct snd_pcm_substream *substream)
{
	return 0;
}

static int chip_trigger(struct snd_pcm_substream *substream, int cmd)
{
	struct chip *chip = substream->private_data;

#ifndef RACY
	spin_lock(&chip->lock);
#endif
	chip->control |= 1u << substream->stream; // RACE! if RACY
#ifndef RACY
	spin_unlock(&chip->lock);
#endif
	return 0;
}

static const struct snd_pcm_ops ops = { .open = chip_open, .trigger = chip_trigger };

static int chip_probe(struct platform_device *pdev)
{
	struct snd_card *card;
	struct snd_pcm *pcm;
	struct chip *chip;
	int err = snd_card_new(&pdev->dev, -1, NULL, THIS_MODULE, sizeof(*chip), &card);

	if (err < 0)
		return err;
	chip = card->private_data;
	spin_lock_init(&chip->lock);
	err = snd_pcm_new(card, "chip", 0, 1, 1, &pcm);
	if (err < 0)
		goto fail;
	pcm->private_data = chip;
	snd_pcm_set_ops(pcm, 0, &ops);
	snd_pcm_set_ops(pcm, 1, &ops);
	platform_set_drvdata(pdev, card);
	err = snd_card_register(card);
	if (err == 0)
		return 0;
fail:
	snd_card_free(card);
	return err;
}

static int chip_remove(struct platform_device *pdev)
{
	snd_card_free(platform_get_drvdata(pdev));
	return 0;
}

static struct platform_driver driver = { .probe = chip_probe, .remove = chip_remove, .driver = { .name = "chip" } };
module_platform_driver(driver);
MODULE_LICENSE("GPL");
