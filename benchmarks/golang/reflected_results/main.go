// Command reflected_results writes to what functions return that package reflect calls.
package main

import (
	"reflect"
	"sync"
)

var count, steps int

var names = map[string]int{}

func counter() *int { return &count }

type table struct{}

// Names is found by its name.
func (table) Names() map[string]int { return names }

func main() {
	var wg sync.WaitGroup
	c, t := reflect.ValueOf(counter), reflect.ValueOf(table{})
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.Call(nil)[0].Elem().SetInt(1)                                                            // RACE!
		t.MethodByName("Names").Call(nil)[0].SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf(1)) // RACE!
	}()
	count++      // RACE!
	names["b"]++ // RACE!
	steps++      // NORACE
	wg.Wait()
	println(count, len(names), steps)
}
