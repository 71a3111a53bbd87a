// Package kept keeps answers between runs, in files under the user's cache directory.
//
// In goes what was found out, under a key that is made from the content of all that it
// depends on; out comes the same, for the same key, or nothing. A file says which key it
// is for and has a checksum. It is written under another name first, so that a file that
// is there is whole, whoever else writes or is killed meanwhile. What cannot be read or
// written is as if it had never been kept.
//
//	s := kept.In("answers")
//	if data, ok := s.Read(key); ok { … }
//	s.Write(key, data)
package kept

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// maxBytes is how much a store has at most: who writes then takes out the files that were
// not used for the longest time.
const maxBytes = 1 << 30

// Key names what is kept, by its content.
type Key [sha256.Size]byte

// Store is a directory; nil keeps nothing.
type Store struct {
	dir string
	max int64
}

// In returns the store of a name, nil where the user has no cache directory.
func In(name string) *Store {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return At(filepath.Join(dir, "whoop", name))
}

// At returns the store in a directory.
func At(dir string) *Store { return &Store{dir: dir, max: maxBytes} }

// Ready reports whether the directory is there: it is made if need be.
func (s *Store) Ready() bool { return s != nil && os.MkdirAll(s.dir, 0o755) == nil }

func (s *Store) file(k Key) string { return filepath.Join(s.dir, hex.EncodeToString(k[:])) }

// Read returns what was kept under a key.
func (s *Store) Read(k Key) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	text, err := os.ReadFile(s.file(k))
	if err != nil {
		return nil, false
	}
	n := len(text) - sha256.Size
	if n < len(k) || !bytes.Equal(text[:len(k)], k[:]) {
		return nil, false
	}
	if sum := sha256.Sum256(text[:n]); !bytes.Equal(sum[:], text[n:]) {
		return nil, false
	}
	now := time.Now()
	os.Chtimes(s.file(k), now, now) //nolint: it is taken out sooner than it need be
	return text[len(k):n], true
}

// Write keeps data under a key.
func (s *Store) Write(k Key, data []byte) {
	if !s.Ready() {
		return
	}
	f, err := os.CreateTemp(s.dir, "new-*")
	if err != nil {
		return
	}
	text := slices.Concat(k[:], data)
	sum := sha256.Sum256(text)
	_, err = f.Write(append(text, sum[:]...))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), s.file(k))
	}
	if err != nil {
		os.Remove(f.Name()) // nothing else can be done about it
	}
	s.prune()
}

// prune takes out the oldest files where there is too much, and what killed runs have
// left.
func (s *Store) prune() {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		if i, err := e.Info(); err == nil && i.Mode().IsRegular() {
			files, total = append(files, i), total+i.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, i := range files {
		left := len(i.Name()) != 2*sha256.Size && time.Since(i.ModTime()) > time.Hour
		if total <= s.max && !left {
			continue
		}
		if os.Remove(filepath.Join(s.dir, i.Name())) == nil {
			total -= i.Size()
		}
	}
}

// Self is the content of the program that runs: another version may have other answers.
// false: it cannot be read.
var Self = sync.OnceValues(func() (Key, bool) {
	f, err := os.Open("/proc/self/exe") // also where its name is another program's by now
	if err != nil {
		name, err := os.Executable()
		if err != nil {
			return Key{}, false
		}
		if f, err = os.Open(name); err != nil {
			return Key{}, false
		}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return Key{}, false
	}
	return Key(h.Sum(nil)), true
})
