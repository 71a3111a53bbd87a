package bmc

import "testing"

// What is made in a map while a range loop goes through it comes, or does not; what was there before does.

// want: assert 0
func TestRangeMade(t *testing.T) {
	m, n := map[int]int{1: 1}, 0
	for range m {
		if n++; n == 1 {
			m[2] = 2
		}
	}
	if n == 1 {
		t.Error("the element that was made did not come")
	}
}

// want: assert 0
func TestRangeMadeComes(t *testing.T) {
	m, n := map[int]int{1: 1}, 0
	for range m {
		if n++; n == 1 {
			m[2] = 2
		}
	}
	if n == 2 {
		t.Error("the element that was made came")
	}
}

// want: assert 0
func TestRangeMadeAgain(t *testing.T) {
	m, n := map[int]int{1: 1}, 0
	for k := range m {
		if n++; n == 1 {
			delete(m, k)
			m[k] = 2
		}
	}
	if n == 2 {
		t.Error("the element that was deleted and made again came again")
	}
}

// want: none
func TestRangeAll(t *testing.T) {
	m, sum := map[int]int{1: 1, 2: 2}, 0
	delete(m, 1)
	m[3] = 3
	for k, v := range m {
		m[k] = v + 1
		sum += k
	}
	if sum != 5 || m[2] != 3 || m[3] != 4 {
		t.Error("an element was left out")
	}
}

// want: assert 0, deadlock 0
func TestErrorGoesOn(t *testing.T) {
	c := make(chan int)
	t.Error("first")
	<-c
}

// want: assert 0, race 1
func TestErrorThenRace(t *testing.T) {
	x, done := 0, make(chan bool)
	go func() {
		x = 1
		close(done)
	}()
	t.Error("first")
	if x == 2 {
		t.Error("second")
	}
	<-done
}

// want: assert 0, deadlock 0
func TestFatalRunsDeferred(t *testing.T) {
	c := make(chan int)
	defer func() { <-c }()
	t.Fatal("first")
}

// want: assert 0
func TestFatalEnds(t *testing.T) {
	c := make(chan int)
	t.Fatal("first")
	<-c
}

// want: deadlock 0
func TestSelectTwice(t *testing.T) {
	c := make(chan int)
	select {
	case <-c:
	case <-c:
	default:
	}
	<-c
}

// want: panic 0
func TestSelectSendsToClosed(t *testing.T) {
	c := make(chan int)
	close(c)
	select {
	case c <- 1:
	default:
		t.Error("it is ready to panic")
	}
}

func offer(t *testing.T, c chan string) {
	select {
	case c <- "":
	default:
		t.Error("there is room")
	}
}

// want: none
func TestSelectHasRoom(t *testing.T) {
	for _, c := range []chan string{make(chan string, 1), make(chan string, 2)} {
		offer(t, c)
	}
	other := make(chan string)
	go func() { other <- "" }()
	<-other
}

func fill(s []int, from, to int, v int) {
	for i := from; i < to; i++ {
		s[i] = v
	}
}

// want: race 1
func TestPartsOverlap(t *testing.T) {
	s, done := make([]int, 4), make(chan bool)
	go func(s []int) {
		for i := range s {
			s[i] = 1
		}
		close(done)
	}(s[:3])
	for i := range s[2:] {
		s[2+i] = 2
	}
	<-done
}

// want: none
func TestPartsApart(t *testing.T) {
	s, done := make([]int, 4), make(chan bool)
	go func() {
		fill(s, 0, 2, 1)
		close(done)
	}()
	fill(s, 2, 4, 2)
	<-done
}
