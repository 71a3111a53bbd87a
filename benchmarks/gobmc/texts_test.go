package bmc

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
)

// Strings that are made of numbers.

type cache struct {
	mu sync.Mutex
	m  map[string]int
}

func (c *cache) set(k string, v int) {
	c.mu.Lock()
	c.m[k] = v
	c.mu.Unlock()
}

// want: none
func TestMadeKeys(t *testing.T) {
	c := &cache{m: map[string]int{}}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.set(fmt.Sprintf("key%d", i), i)
		}()
	}
	wg.Wait()
	if c.m["key1"] != 1 || len(c.m) != 2 {
		t.Error("lost")
	}
}

// want: race 1
func TestMadeKeysUnlocked(t *testing.T) {
	m := map[string]int{}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m["key"+strconv.Itoa(i)] = i
		}()
	}
	wg.Wait()
}

// want: assert 1
func TestMadeKeysAreOne(t *testing.T) {
	var m sync.Mutex
	seen := map[string]bool{}
	take := func(i int) bool {
		k := "job-" + strconv.Itoa(i%2)
		m.Lock()
		taken := seen[k]
		m.Unlock()
		if !taken {
			m.Lock()
			seen[k] = true
			m.Unlock()
		}
		return !taken
	}
	done := make(chan bool, 1)
	go func() { done <- take(1) }()
	mine := take(3)
	if mine && <-done {
		t.Error("both have taken job-1")
	}
}

// want: none
func TestMadeTexts(t *testing.T) {
	small, wide := int8(7), uint64(123456)
	for _, ok := range []bool{
		fmt.Sprintf("a%db", 12) == "a12b", fmt.Sprintf("%v", small) == "7", fmt.Sprint(wide) == "123456", strconv.FormatInt(5, 10) == "5",
		"<"+strconv.Itoa(3)+">" == "<3>", strconv.Itoa(3) != "03", strconv.Itoa(int(small)) == fmt.Sprint(small),
		fmt.Sprintf("a%db", 12) != "a12", fmt.Sprintf("a%db", 0) != "ab",
	} {
		if !ok {
			t.Error("it is")
		}
	}
}

// want: none
func TestMadeCharacters(t *testing.T) {
	if r := rune(233); "x"+string(r) != "xé" || "x"+string(r+1) == "xé" {
		t.Error("it is")
	}
}

// What may be one text in two ways is not followed, nor are negative numbers: they are unknown, and not different.
// want: none
func TestMadeTextsPassedOn(t *testing.T) {
	one, two := fmt.Sprintf("%d", 11), fmt.Sprintf("1%d", 1)
	t.Log(one, two, strconv.Itoa(-1))
}

func word(i int) string {
	if i == 0 {
		return "é"
	}
	return "ab"
}

// want: none
func TestBytesAndRunes(t *testing.T) {
	for i := range 2 {
		s, sum, at := word(i), 0, 0
		for _, b := range []byte(s) {
			sum += int(b)
		}
		for k, r := range s {
			at += 1000*k + int(r)
		}
		rs := []rune(s)
		if i == 0 && (sum != 0xc3+0xa9 || at != 0xe9 || len(rs) != 1 || rs[0] != 'é') {
			t.Error("é")
		}
		if i == 1 && (sum != 97+98 || at != 97+1000+98 || s[1:] != "b" || s[1:]+"x" != "bx" || s+"x" == "ax" || s >= "b") {
			t.Error("ab")
		}
		c := append([]byte("q"), s...)
		c[0] = 'x'
		if string(c[1:]) != s || string(c) == s || string(rs) != s {
			t.Error("back")
		}
	}
}

// want: assert 0
func TestChangedText(t *testing.T) {
	b := []byte(word(1))
	b[1] = 'c'
	if string(b) == "ac" {
		t.Error("ac")
	}
}

// want: race 1
func TestBytesConverted(t *testing.T) {
	b := []byte("ab")
	done := make(chan bool)
	go func() {
		b[1] = 'c'
		close(done)
	}()
	_ = string(b)
	<-done
}

// want: panic 0
func TestPartOutside(t *testing.T) {
	s := word(1)
	_ = s[len(s)-1 : len(s)+1]
}
