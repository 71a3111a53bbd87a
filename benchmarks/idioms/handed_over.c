/* Tables that code not seen gets by a function of which the name says nothing of registering:
 * the functions in them run from there on, and do not end with another object of their type
 * that is unregistered.
 *
 * With RACY: a second object, and one of an array, are attached before the memory is set up,
 * and stay so when it is freed. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct sail {
	int (*trim)(struct sail *s);
	int angle;
};

extern int sail_register(struct sail *s);
extern void sail_unregister(struct sail *s);
extern int sail_attach(struct sail *s);
extern int sail_attach_all(struct sail **s, int n);
extern void sail_set_angle(struct sail *s, int angle);

struct boat {
	struct sail main, jib, spinnaker;
	int wind, drift;
};

static struct boat *boat;

static int trim_main(struct sail *s)
{
	return boat->wind; // RACE! if RACY
}

#ifdef RACY
static int trim_jib(struct sail *s)
{
	return boat->drift; // RACE!
}

static int trim_spinnaker(struct sail *s)
{
	return boat->drift; // RACE!
}
#endif

static int boat_probe(struct platform_device *pdev)
{
	struct boat *b = kzalloc(sizeof(*b), GFP_KERNEL);
	int err;

	if (!b)
		return -ENOMEM;
	boat = b;
	platform_set_drvdata(pdev, b);
	b->main.trim = trim_main;
	sail_set_angle(&b->main, 3);
#ifdef RACY
	{
		struct sail *more[1] = { &b->spinnaker };

		b->jib.trim = trim_jib;
		b->spinnaker.trim = trim_spinnaker;
		sail_attach(&b->jib);
		sail_attach_all(more, 1);
	}
#endif
	b->wind = 1; // RACE! if RACY
	b->drift = 1; // RACE! if RACY
	err = sail_register(&b->main);
	if (err)
		kfree(b); // RACE! if RACY
	return err;
}

static int boat_remove(struct platform_device *pdev)
{
	struct boat *b = platform_get_drvdata(pdev);

	sail_unregister(&b->main);
	kfree(b); // RACE! if RACY
	return 0;
}

static struct platform_driver driver = {
	.probe = boat_probe,
	.remove = boat_remove,
	.driver = { .name = "boat" },
};
module_platform_driver(driver);
MODULE_LICENSE("GPL");
