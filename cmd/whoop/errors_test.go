package main

import (
	"io/fs"
	"testing"
)

// TestLocated: an error of the system names the file, and no system call.
func TestLocated(t *testing.T) {
	err := &fs.PathError{Op: "open", Path: "closed.c", Err: fs.ErrPermission}
	if got := located(err, false); got != "closed.c: permission denied" {
		t.Error(got)
	}
}
