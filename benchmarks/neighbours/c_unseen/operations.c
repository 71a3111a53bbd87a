// A table of operations is defined by another file.
struct operations { void (*go)(void); };
extern struct operations *ops;
int n;

int main(void) {
	ops->go();
	n++; // RACE!
	return 0;
}
