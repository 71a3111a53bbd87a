package lockset

import "testing"

// TestOuterLock: a lock has the name that the source gives it.
func TestOuterLock(t *testing.T) {
	for name, want := range map[string]string{
		"zf_port_lock.rlock.raw_lock.val.counter": "zf_port_lock",
		"device.mutex.owner.counter":              "device.mutex",
		"device.lock":                             "device.lock",
		"device.owner":                            "device.owner",
		"counter":                                 "counter",
	} {
		if got := outerLock(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
