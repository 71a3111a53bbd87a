package scale

import (
	"fmt"
	"strings"
)

// members are the operations that are used of each table, with their parameters and
// result.
var members = []struct{ name, result, params string }{
	{"read", "ssize_t", "struct file *f, char __user *buf, size_t n, loff_t *pos"},
	{"write", "ssize_t", "struct file *f, const char __user *buf, size_t n, loff_t *pos"},
	{"unlocked_ioctl", "long", "struct file *f, unsigned int n, unsigned long arg"},
	{"llseek", "loff_t", "struct file *f, loff_t off, int n"},
}

const helpersPerEntry, statements = 6, 48

// Driver returns the source of a race-free driver with the given number of entry points.
func Driver(entries int) string {
	var b strings.Builder
	b.WriteString("#include <linux/module.h>\n#include <linux/fs.h>\n#include <linux/miscdevice.h>\n#include <linux/mutex.h>\n#include <linux/spinlock.h>\n#include <linux/uaccess.h>\n\n")
	b.WriteString("#define REGS 32\n\nstruct channel {\n\tspinlock_t lock;\n\tunsigned count, errors, state;\n\tunsigned regs[REGS];\n};\n\n")
	b.WriteString("struct board {\n\tstruct mutex lock;\n\tunsigned opened, mode;\n\tstruct channel ch[4];\n};\n\nstatic struct board board;\n\n")
	for e := 0; e < entries; e++ {
		for h := 0; h < helpersPerEntry; h++ {
			helper(&b, e, h)
		}
		entry(&b, e)
	}
	tables(&b, entries)
	return b.String()
}

// helper is a function that works on one channel under its lock.
func helper(b *strings.Builder, e, h int) {
	fmt.Fprintf(b, "static unsigned step_%d_%d(struct channel *c, unsigned v)\n{\n\tunsigned i, r = v;\n\n\tspin_lock(&c->lock);\n", e, h)
	for s := 0; s < statements; s++ {
		switch s % 4 {
		case 0:
			fmt.Fprintf(b, "\tif (r > %du)\n\t\tc->count += %d;\n", s*3+e, s+1)
		case 1:
			fmt.Fprintf(b, "\tc->regs[(r + %d) %% REGS] = r + %d;\n", s, h)
		case 2:
			fmt.Fprintf(b, "\tr += c->state + %d;\n", s)
		case 3:
			fmt.Fprintf(b, "\tc->errors = r;\n")
		}
	}
	b.WriteString("\tfor (i = 0; i < REGS; i++)\n\t\tc->regs[i]++;\n\tspin_unlock(&c->lock);\n\treturn r;\n}\n\n")
}

func entry(b *strings.Builder, e int) {
	m := members[e%len(members)]
	fmt.Fprintf(b, "static %s op_%d_%s(%s)\n{\n\tunsigned r = 0, k;\n\n\tif (mutex_lock_interruptible(&board.lock))\n\t\treturn -EINTR;\n", m.result, e, m.name, m.params)
	fmt.Fprintf(b, "\tboard.opened++;\n\tfor (k = 0; k < 4; k++) {\n\t\tstruct channel *c = &board.ch[k];\n\n")
	for h := 0; h < helpersPerEntry; h++ {
		fmt.Fprintf(b, "\t\tif (n > %d)\n\t\t\tr += step_%d_%d(c, r);\n", h, e, h)
	}
	fmt.Fprintf(b, "\t}\n\tboard.mode = r;\n\tmutex_unlock(&board.lock);\n\treturn r;\n}\n\n")
}

// tables writes the operation tables and the module's initialisation.
func tables(b *strings.Builder, entries int) {
	n := (entries + len(members) - 1) / len(members)
	for t := 0; t < n; t++ {
		fmt.Fprintf(b, "static const struct file_operations fops_%d = {\n", t)
		for i, m := range members {
			if e := t*len(members) + i; e < entries {
				fmt.Fprintf(b, "\t.%s = op_%d_%s,\n", m.name, e, m.name)
			}
		}
		fmt.Fprintf(b, "};\n\nstatic struct miscdevice misc_%d = { .minor = %d, .name = \"m%d\", .fops = &fops_%d };\n\n", t, t, t, t)
	}
	b.WriteString("static int __init board_init(void)\n{\n\tint i, err = 0;\n\n\tmutex_init(&board.lock);\n\tfor (i = 0; i < 4; i++)\n\t\tspin_lock_init(&board.ch[i].lock);\n")
	for t := 0; t < n; t++ {
		fmt.Fprintf(b, "\tif (!err)\n\t\terr = misc_register(&misc_%d);\n", t)
	}
	b.WriteString("\treturn err;\n}\n\nmodule_init(board_init)\n")
}
