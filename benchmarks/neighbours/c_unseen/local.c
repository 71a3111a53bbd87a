// A function without a body is called by a variable that holds it.
int n;
void outside(void);

int main(void) {
	void (*f)(void) = outside;
	f();
	n++; // RACE!
	return 0;
}
