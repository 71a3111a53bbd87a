package entry

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"whoop/frontend/models"
)

// Config is an ep.yaml: what the user says about entry points. See
// docs/reference/entry-points.md.
type Config struct {
	Version int `yaml:"version"`
	// Infer: false keeps the inference from adding entries; the file then lists all of
	// them.
	Infer *bool `yaml:"infer,omitempty"`
	// Entries adds entry points, or changes inferred ones of the same function.
	Entries []Entry `yaml:"entries,omitempty"`
	// Remove names inferred entry points that are none.
	Remove []string `yaml:"remove,omitempty"`
	// Serial lists pairs that never overlap; Overlap lists pairs that do, though the
	// inference says not.
	Serial  []Serial   `yaml:"serial,omitempty"`
	Overlap [][]string `yaml:"overlap,omitempty"`
	Locks   []Lock     `yaml:"locks,omitempty"`
	// Alias lists groups of parameters, ENTRY.INDEX, that may point to the same object.
	Alias [][]string `yaml:"alias,omitempty"`
	// Initial gives initial values of integer globals.
	Initial []Initial `yaml:"initial,omitempty"`

	file  string
	lines map[string][]int
}

// Entry is one entry point; fields left out keep what the inference found (or false).
type Entry struct {
	Func string `yaml:"func"`
	// Name is the entry's name in reports and in this file, where it is not the
	// function's.
	Name    string    `yaml:"name,omitempty"`
	Kind    string    `yaml:"kind,omitempty"`
	Multi   *bool     `yaml:"multi,omitempty"`
	Spawned *bool     `yaml:"spawned,omitempty"`
	Init    *bool     `yaml:"init,omitempty"`
	Exit    *bool     `yaml:"exit,omitempty"`
	Holds   *[]string `yaml:"holds,omitempty,flow"`
	Private *[]int    `yaml:"private,omitempty,flow"`
}

func (e Entry) name() string {
	if e.Name != "" {
		return e.Name
	}
	return e.Func
}

// Serial says that two entries do not overlap.
type Serial struct {
	A      string `yaml:"a"`
	B      string `yaml:"b"`
	Reason string `yaml:"reason,omitempty"`
}

// Lock describes functions of the program that lock and unlock. Their bodies are then not
// looked into.
type Lock struct {
	Lock    []string `yaml:"lock,omitempty,flow"`
	TryLock []string `yaml:"trylock,omitempty,flow"`
	Unlock  []string `yaml:"unlock,omitempty,flow"`
	Init    []string `yaml:"init,omitempty,flow"`
	// Arg is the index of the argument that points to the lock; Global is a name instead,
	// for locks without one.
	Arg    int    `yaml:"arg,omitempty"`
	Global string `yaml:"global,omitempty"`
	Class  string `yaml:"class,omitempty"`
	Mode   string `yaml:"mode,omitempty"`
	// Success is how a trylock's result shows that it worked: nonzero (default), zero or
	// nonneg.
	Success   string `yaml:"success,omitempty"`
	Recursive bool   `yaml:"recursive,omitempty"`
}

// Initial is the value of an integer global, or of an integer member of one
// (dev.open_count), before anything runs.
type Initial struct {
	Var   string `yaml:"var"`
	Value int64  `yaml:"value"`
}

// ReadConfig reads an ep.yaml.
func ReadConfig(path string) (*Config, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("entry points file: %w", err)
	}
	return ParseConfig(path, src)
}

// ParseConfig reads an ep.yaml from memory. Errors are "name:line: message".
func ParseConfig(name string, src []byte) (*Config, error) {
	c := &Config{}
	if err := models.Strict(name, src, c); err != nil {
		return nil, err
	}
	c.file, c.lines = name, map[string][]int{}
	for _, k := range []string{"entries", "remove", "serial", "overlap", "locks", "alias", "initial"} {
		c.lines[k] = models.ItemLines(src, k)
	}
	if c.Version != 1 {
		return nil, fmt.Errorf("%s:1: version is %d; this program reads version 1 (begin the file with \"version: 1\")", name, c.Version)
	}
	return c, c.check()
}

// at makes an error about element i of a list.
func (c *Config) at(list string, i int, format string, args ...any) error {
	line := 1
	if ls := c.lines[list]; i < len(ls) {
		line = ls[i]
	}
	return fmt.Errorf("%s:%d: %s", c.file, line, fmt.Sprintf(format, args...))
}

// check finds what is wrong without a program: missing names and contradictions.
func (c *Config) check() error {
	seen := map[string]int{}
	for i, e := range c.Entries {
		switch first, dup := seen[e.name()]; {
		case e.Func == "":
			return c.at("entries", i, "an entry without func, the name of its function")
		case dup:
			return c.at("entries", i, "%s is an entry twice (also entry %d); merge the two", e.name(), first+1)
		case slices.Contains(c.Remove, e.name()):
			return c.at("entries", i, "%s is an entry here and also under remove; delete one of the two", e.name())
		case yes(e.Init) && yes(e.Exit), yes(e.Init) && yes(e.Spawned), yes(e.Exit) && yes(e.Spawned):
			return c.at("entries", i, "%s: only one of init, exit and spawned can be true", e.Func)
		case e.Holds != nil && slices.Contains(*e.Holds, ""):
			return c.at("entries", i, "%s: holds a lock without a name", e.Func)
		}
		seen[e.name()] = i
	}
	for i, s := range c.Serial {
		if s.A == "" || s.B == "" {
			return c.at("serial", i, "a pair needs a and b, the names of two entries (the same twice: never overlaps itself)")
		}
		for j, o := range c.Overlap {
			if len(o) == 2 && (o[0] == s.A && o[1] == s.B || o[0] == s.B && o[1] == s.A) {
				return c.at("overlap", j, "%s and %s overlap here, but not according to serial; delete one of the two", o[0], o[1])
			}
		}
		for _, e := range c.Entries {
			if s.A == s.B && s.A == e.name() && yes(e.Multi) {
				return c.at("serial", i, "%s never overlaps itself, but its entry says multi: true; delete one of the two", s.A)
			}
		}
	}
	for i, o := range c.Overlap {
		if len(o) != 2 {
			return c.at("overlap", i, "a pair is two names, as in [a, b]")
		}
	}
	for i, g := range c.Alias {
		if len(g) < 2 {
			return c.at("alias", i, "a group is two parameters or more, as in [a.0, b.1]")
		}
	}
	return c.checkLocks()
}

func yes(b *bool) bool { return b != nil && *b }

func (c *Config) checkLocks() error {
	use := map[string]string{}
	for i, l := range c.Locks {
		if len(l.Lock)+len(l.TryLock)+len(l.Unlock)+len(l.Init) == 0 {
			return c.at("locks", i, "a lock needs function names under lock, trylock, unlock or init")
		}
		for _, u := range []struct {
			what  string
			names []string
		}{{"lock", l.Lock}, {"trylock", l.TryLock}, {"unlock", l.Unlock}, {"init", l.Init}} {
			for _, n := range u.names {
				if n == "" {
					return c.at("locks", i, "an empty function name under %s", u.what)
				}
				if w, dup := use[n]; dup {
					return c.at("locks", i, "%s is named twice, as %s and as %s; keep one", n, w, u.what)
				}
				use[n] = u.what
			}
		}
		for _, f := range l.models() {
			if err := models.CheckFunc(&f); err != nil {
				return c.at("locks", i, "%v", err)
			}
		}
	}
	return nil
}

// Models returns the models of the lock functions that the file names; add them to the
// set before lowering.
func (c *Config) Models() []models.Func {
	var out []models.Func
	for _, l := range c.Locks {
		out = append(out, l.models()...)
	}
	return out
}

func (l Lock) models() []models.Func {
	class := l.Class
	if class == "" {
		class = "mutex"
	}
	success := l.Success
	if success == "" {
		success = "nonzero"
	}
	var out []models.Func
	add := func(names []string, op models.Op, success, mode, ret string) {
		if len(names) == 0 {
			return
		}
		f := models.Func{Names: names, Op: op, Class: class, Mode: mode, Success: success, Ret: ret, Global: l.Global, Recursive: l.Recursive}
		if l.Global == "" {
			f.Arg = map[string]int{"lock": l.Arg}
		}
		out = append(out, f)
	}
	add(l.Lock, models.OpLock, "", l.Mode, "")
	add(l.TryLock, models.OpLock, success, l.Mode, "success")
	add(l.Unlock, models.OpUnlock, "", l.Mode, "")
	add(l.Init, models.OpLockInit, "", "", "")
	return out
}

// errNoParam is why a parameter could not be understood.
var errNoParam = errors.New("a parameter is written ENTRY.INDEX, the first being 0")

func splitParam(s string) (entry string, index string, err error) {
	i := strings.LastIndexByte(s, '.')
	if i < 1 || i == len(s)-1 {
		return "", "", errNoParam
	}
	return s[:i], s[i+1:], nil
}
