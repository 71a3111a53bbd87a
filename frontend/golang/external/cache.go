package external

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// The cache has one file for each package: its name says of which source, for which Go,
// and of which version of facts. A file is written under another name first, so that one
// that is there is whole, whoever else writes or is killed meanwhile. What cannot be read
// or written is as if there were no cache.

// CacheDir is the directory where facts are kept, "" where the user has none.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "whoop", "go-external")
}

func readCache(name, path string) *Package {
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	sum, text, _ := bytes.Cut(text, []byte("\n"))
	p := &Package{}
	if string(sum) != checksum(text) || json.Unmarshal(text, p) != nil || p.Path != path {
		return nil
	}
	return p
}

// checksum is the first line of a file: one that was damaged is as if it were not there.
func checksum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

func writeCache(name string, p *Package) {
	if name == "" {
		return
	}
	text, err := json.Marshal(p)
	if err != nil || os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), "new-*")
	if err != nil {
		return
	}
	_, err = fmt.Fprintf(f, "%s\n%s", checksum(text), text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name()) // nothing else can be done about it
	}
}
