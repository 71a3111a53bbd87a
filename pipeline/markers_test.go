package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is reported about a preprocessed driver names the lines of its source, also in the
// names of objects and in reasons.
func TestLineMarkers(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	text := `# 1 "/usr/src/linux/include/linux/types.h" 1
typedef unsigned long size_t;
typedef long ssize_t;
# 7 "/usr/src/linux/include/linux/fs.h"
struct file { void *private_data; };
struct file_operations { void *owner; ssize_t (*read)(struct file *, char *, size_t, long long *); };
void *kzalloc(size_t n, unsigned gfp);
int register_chrdev(unsigned major, const char *name, const struct file_operations *f);
# 20 "drivers/x.c" 2
static int *n;
static ssize_t x_read(struct file *f, char *b, size_t c, long long *p)
{
# 25 "drivers/x.c"
 (*n)++; return 0;
}
static const struct file_operations fops = { .read = x_read };
int init_module(void)
{
 n = kzalloc(4, 0);
 return n ? register_chrdev(1, "x", &fops) : -12;
}
`
	if err := os.MkdirAll("drivers", 0o755); err != nil {
		t.Fatal(err)
	}
	for f, s := range map[string]string{"x.i": text, filepath.Join("drivers", "x.c"): strings.Repeat("\n", 24) + "\t(*n)++; return 0;\n"} {
		if err := os.WriteFile(f, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := Verify(context.Background(), "x.i", Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Races) == 0 {
		t.Fatal("no race")
	}
	r := rep.Races[0]
	if p := r.First.Pos.String(); p != "drivers/x.c:25:2" {
		t.Errorf("the race is at %s", p)
	}
	if !strings.Contains(r.Region, "heap(x.c:30)") {
		t.Errorf("the region is %s", r.Region)
	}
}
