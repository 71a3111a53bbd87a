// WaitGroups that are counted down by calls which do not name the operation, by another goroutine, or by a number below zero.
package main

import (
	"os"
	"sync"
)

var viaInterface, viaValue, byOther, lateAdd, negative int

func throughInterface() {
	var wg sync.WaitGroup
	var d interface{ Done() } = &wg
	wg.Add(1)
	go func() {
		viaInterface++ // RACE!
		wg.Done()
	}()
	d.Done()
	wg.Wait()
	viaInterface = 2 // RACE!
}

func throughValue() {
	var wg sync.WaitGroup
	down := []func(*sync.WaitGroup){(*sync.WaitGroup).Done}
	wg.Add(1)
	go func() {
		viaValue++ // RACE!
		wg.Done()
	}()
	down[0](&wg)
	wg.Wait()
	viaValue = 2 // RACE!
}

func another() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		go wg.Done()
		byOther++ // RACE!
	}()
	wg.Wait()
	byOther = 2 // RACE!
}

func addsLate() {
	var wg sync.WaitGroup
	go wg.Add(1) // RACE!
	go func() {
		lateAdd++ // RACE!
		wg.Done()
	}()
	wg.Wait()   // RACE!
	lateAdd = 2 // RACE!
}

func takesOff(n int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		negative++ // RACE!
		wg.Done()
	}()
	wg.Add(n) // -1
	for i := 0; i < n; i++ {
		go func() { wg.Done() }()
	}
	wg.Wait()
	negative = 2 // RACE!
}

func main() {
	throughInterface()
	throughValue()
	another()
	addsLate()
	takesOff(len(os.Args) - 2)
}
