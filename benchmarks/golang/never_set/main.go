// Nobody ever sets one of the hooks: what would be done with it is never done. The other one is set.
package main

type hook struct{ calls int }

var (
	unset *hook
	set   *hook
	n     int
)

func step() {
	if unset != nil {
		n++
	}
	if set != nil {
		set.calls++ // RACE!
	}
}

func main() {
	set = &hook{}
	done := make(chan bool)
	go func() {
		step()
		done <- true
	}()
	step()
	<-done
}
