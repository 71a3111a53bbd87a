package models

import (
	"slices"
	"strings"
)

// NoKind is the kind of no entry point: an Unregister of it stops nothing.
const NoKind = "(unknown callback)"

// PerhapsKind marks a Register of a function of which it is not known whether it
// registers what it gets.
const PerhapsKind = "(perhaps)"

// starting and ending are words of names: what registers and adds, and what asks for a
// channel or an interrupt (mbox_request_channel, mbox_free_channel;
// driver-api/mailbox.rst), has a function that ends it.
var (
	starting = []string{"register", "add", "request", "claim"}
	ending   = []string{"unregister", "deregister", "unreg", "del", "delete", "remove", "free", "release"}
)

// filling are words of functions that make objects or fill them in, before these are
// registered.
var filling = []string{"init", "alloc", "allocate", "set", "setup", "prepare", "get", "new", "create", "initialize"}

// FillsIn reports whether a function's name says that it makes an object, or fills it in.
func FillsIn(name string) bool {
	return slices.ContainsFunc(strings.Split(strings.Trim(name, "_"), "_"), func(w string) bool {
		return slices.Contains(filling, strings.TrimRight(w, "0123456789")) // snd_ctl_new1
	})
}

// visiting are words of functions that call what they get for each of some objects, and
// have done so when they return (device_for_each_child, acpi_walk_namespace,
// bus_find_device): Documentation/driver-api/driver-model/device.rst, pci.rst.
var visiting = []string{"each", "foreach", "walk", "iterate", "find"}

// Visits reports whether a function's name says that it calls what it gets before it
// returns. Functions that run something on several processors have "cpu" in their names.
func Visits(name string) bool {
	words := strings.Split(strings.Trim(name, "_"), "_")
	has := func(ws []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(ws, w) })
	}
	return has(visiting) && !has(starting) && !has(ending) && !has(filling) && !has([]string{"cpu", "cpus"})
}

// Stem is what is left of a function's name without these words, and whether the
// function starts or ends something by them.
func Stem(name string) (stem string, starts, ends bool) {
	var rest []string
	for _, w := range strings.Split(strings.Trim(name, "_"), "_") {
		switch {
		case slices.Contains(starting, w):
			starts = true
		case slices.Contains(ending, w):
			ends = true
		case w != "devm":
			rest = append(rest, w)
		}
	}
	return strings.Join(rest, "_"), starts && !ends, ends && !starts
}
