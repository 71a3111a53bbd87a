package waitgroup_only

import (
	"errors"
	"testing"
)

func TestRace(t *testing.T) {
	b := &Batch{}
	for range 20 {
		b.Go(func() error { return errors.New("x") })
	}
	b.Failed()
}
