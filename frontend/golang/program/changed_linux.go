package program

import (
	"fmt"
	"io/fs"
	"syscall"
)

// changed tells which file it is, and when it was last written, renamed or replaced.
func changed(st fs.FileInfo) string {
	at := fmt.Sprint(st.ModTime().UnixNano())
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		at += fmt.Sprintf(" %d %d %d", s.Ino, s.Ctim.Sec, s.Ctim.Nsec)
	}
	return at
}
