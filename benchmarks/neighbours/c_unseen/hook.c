// A hook is set by another file, and may start a thread.
extern void (*hook)(void);
int n;

int main(void) {
	hook();
	n++; // RACE!
	return 0;
}
