// Command publish_plain exchanges a configuration that readers find through a variable: that races, what is in the configuration does not.
package main

type config struct{ limit int }

var current *config

func main() {
	current = &config{1}
	go func() { current = &config{2} }() // RACE!
	_ = current.limit                    // RACE!
}
