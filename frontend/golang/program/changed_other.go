//go:build !linux

package program

import (
	"fmt"
	"io/fs"
)

// changed tells when a file was last written.
func changed(st fs.FileInfo) string { return fmt.Sprint(st.ModTime().UnixNano()) }
