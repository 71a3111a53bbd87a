package pipeline

import (
	"testing"

	"whoop/diag"
)

// TestExternThroughPointer: what a function that is not seen may do with its argument is
// the same whether it is called by its name or through a pointer, and whether it has a
// result or none.
func TestExternThroughPointer(t *testing.T) {
	for name, src := range map[string]string{
		"by name":                 "void ext(int *p); static int x; CALL { ext(&x); return 0; }",
		"through a pointer":       "void ext(int *p); static void (*hook)(int *) = ext; static int x; CALL { hook(&x); return 0; }",
		"with a result":           "int ext(int *p); static int (*hook)(int *) = ext; static int x; CALL { return hook(&x); }",
		"with one that is unused": "int ext(int *p); static int (*hook)(int *) = ext; static int x; CALL { hook(&x); return 0; }",
	} {
		t.Run(name, func(t *testing.T) {
			text := "#include <linux/module.h>\n#include <linux/fs.h>\n#define CALL static ssize_t rd(struct file *f, char __user *u, size_t k, loff_t *p)\n" + src +
				"\nstatic const struct file_operations fo = { .read = rd };\nstatic int __init ini(void) { return register_chrdev(240, \"x\", &fo); }\nmodule_init(ini);\n"
			if v := verdicts(t, text)["rd|rd"]; v != diag.Racy {
				t.Errorf("%s", v)
			}
		})
	}
}
