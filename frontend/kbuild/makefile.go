package kbuild

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Module is what one .ko file is made of, or, BuiltIn, an object of the kernel itself.
type Module struct {
	Name    string
	Dir     string // of its Makefile
	Files   []string
	BuiltIn bool
}

// makefile is what a Makefile assigns to its variables.
type makefile struct {
	dir    string
	values map[string][]string // words, in the order of the text
}

// assigned matches an assignment.
var assigned = regexp.MustCompile(`^\s*(?:export\s+|override\s+)?([\w.$()/-]+)\s*(?:[:+?]{0,2}=)\s*(.*)$`)

// makefileIn reads the Makefile of a folder, nil where there is none.
func makefileIn(dir string) *makefile {
	for _, n := range []string{"Kbuild", "Makefile"} {
		text, err := os.ReadFile(filepath.Join(dir, n))
		if err != nil {
			continue
		}
		m := &makefile{dir: dir, values: map[string][]string{}}
		for _, line := range strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n") {
			line, _, _ = strings.Cut(line, "#")
			if a := assigned.FindStringSubmatch(line); a != nil {
				m.values[a[1]] = append(m.values[a[1]], strings.Fields(a[2])...)
			}
		}
		return m
	}
	return nil
}

// option matches the configuration's part of a variable's name: obj-$(CONFIG_NVRAM).
var option = regexp.MustCompile(`^(.*)-(?:\$\((CONFIG_\w+)\)|([ym]|objs))$`)

// entries lists what variables with a prefix have (obj, or a module's name), by how it is
// built: y or m.
func (t *Tree) entries(m *makefile, prefix string) (built, modules []string) {
	for _, name := range sorted(m.values) {
		o := option.FindStringSubmatch(name)
		if o == nil || o[1] != prefix {
			continue
		}
		how := o[3]
		if o[2] != "" {
			how = t.Config[o[2]]
		}
		var words []string
		for _, w := range m.values[name] {
			words = append(words, m.expand(w, 4)...)
		}
		switch how {
		case "y", "objs":
			built = append(built, words...)
		case "m":
			modules = append(modules, words...)
		}
	}
	return built, modules
}

func sorted(m map[string][]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// variable matches a word that is the value of a variable.
var variable = regexp.MustCompile(`^\$[({]([\w.-]+)[)}]$`)

// expand is what a word stands for.
func (m *makefile) expand(w string, depth int) []string {
	v := variable.FindStringSubmatch(w)
	if v == nil || depth == 0 {
		return []string{w}
	}
	var out []string
	for _, w := range m.values[v[1]] {
		out = append(out, m.expand(w, depth-1)...)
	}
	return out
}

// Modules lists the modules that a folder and those below it build, or, for a file, the
// one that it is a part of. builtIn: also what is built into the kernel.
func (t *Tree) Modules(path string, builtIn bool) ([]Module, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return t.moduleOf(path)
	}
	var out []Module
	seen := map[string]bool{}
	var visit func(dir string) bool
	visit = func(dir string) bool {
		m := makefileIn(dir)
		if seen[dir] {
			return true
		}
		seen[dir] = true
		if m == nil { // perhaps only a part of the source is there
			any := false
			folders, _ := filepath.Glob(filepath.Join(dir, "*/"))
			for _, d := range folders {
				any = visit(d) || any
			}
			return any
		}
		built, modules := t.entries(m, "obj")
		for _, group := range []struct {
			words   []string
			builtIn bool
		}{{modules, false}, {built, true}} {
			for _, w := range group.words {
				switch {
				case strings.HasSuffix(w, "/"):
					visit(filepath.Join(dir, w))
				case strings.HasSuffix(w, ".o") && (builtIn || !group.builtIn):
					if mod := t.module(m, strings.TrimSuffix(w, ".o"), group.builtIn); len(mod.Files) > 0 {
						out = append(out, mod)
					}
				}
			}
		}
		return true
	}
	if !visit(path) {
		return nil, fmt.Errorf("%s has no Makefile or Kbuild that lists modules", path)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Dir+"/"+out[i].Name < out[j].Dir+"/"+out[j].Name })
	return slices.CompactFunc(out, func(a, b Module) bool { return a.Dir == b.Dir && a.Name == b.Name }), nil
}

// module is a module by its name in a Makefile: its parts, or one file.
func (t *Tree) module(m *makefile, name string, builtIn bool) Module {
	out := Module{Name: filepath.Base(name), Dir: m.dir, BuiltIn: builtIn}
	built, modules := t.entries(m, name)
	parts := append(built, modules...)
	for i := 0; i < len(parts) && i < 1000; i++ { // composites may have composites
		part := strings.TrimSuffix(parts[i], ".o")
		if more, and := t.entries(m, part); part != name && len(more)+len(and) > 0 {
			parts = append(append(parts, more...), and...)
			continue
		}
		out.add(part)
	}
	if len(out.Files) == 0 {
		out.add(name)
	}
	slices.Sort(out.Files)
	return out
}

// add adds the source of an object.
func (m *Module) add(object string) {
	if f := filepath.Join(m.Dir, object+".c"); exists(f) && !slices.Contains(m.Files, f) {
		m.Files = append(m.Files, f)
	}
}

// moduleOf is the module that a file is a part of, where a Makefile in its folder or above
// says so, whatever the configuration; else the file alone.
func (t *Tree) moduleOf(file string) ([]Module, error) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		m := makefileIn(dir)
		if m == nil {
			break
		}
		for _, name := range sorted(m.values) {
			o := option.FindStringSubmatch(name)
			if o == nil || o[1] != "obj" {
				continue
			}
			for _, w := range m.values[name] {
				if !strings.HasSuffix(w, ".o") {
					continue
				}
				mod := t.module(m, strings.TrimSuffix(w, ".o"), false)
				if slices.Contains(mod.Files, file) {
					return []Module{mod}, nil
				}
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return []Module{{Name: strings.TrimSuffix(filepath.Base(file), ".c"), Dir: filepath.Dir(file), Files: []string{file}}}, nil
}

// Lists reports whether the Makefile of a file's folder builds it for the kernel.
func Lists(file string) bool {
	file, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	m := makefileIn(filepath.Dir(file))
	if m == nil {
		return false
	}
	object := strings.TrimSuffix(filepath.Base(file), ".c") + ".o"
	for name, words := range m.values {
		if o := option.FindStringSubmatch(name); o != nil && slices.Contains(words, object) {
			return true
		}
	}
	return false
}

// Top is the root of the source that a path is in: the folder with MAINTAINERS, or the
// one that has the kernel's folders drivers, sound and so on.
func Top(path string) string {
	dir, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if filepath.Ext(dir) == ".c" {
		dir = filepath.Dir(dir)
	}
	found := dir
	for _, names := range [][]string{{"net", "fs", "block", "lib", "crypto"}, {"drivers", "sound"}} {
		for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
			if exists(filepath.Join(d, "MAINTAINERS")) {
				return d
			}
			if slices.Contains(names, filepath.Base(d)) {
				found = filepath.Dir(d)
				break
			}
		}
	}
	return found
}

// local are the flags that the Makefiles of a file's folder and of those above it ask for.
func (t *Tree) local(file string) []string {
	root := Top(file)
	var out []string
	for dir := filepath.Dir(file); strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
		m := makefileIn(dir)
		if m == nil {
			break
		}
		names := []string{"ccflags-y", "subdir-ccflags-y", "EXTRA_CFLAGS", "CFLAGS_" + strings.TrimSuffix(filepath.Base(file), ".c") + ".o"}
		if dir != filepath.Dir(file) {
			names = []string{"subdir-ccflags-y"}
		}
		for _, name := range sorted(m.values) {
			if o := option.FindStringSubmatch(name); o != nil && o[2] != "" && slices.Contains(names, o[1]+"-y") && t.Config[o[2]] == "y" {
				names = append(names, name)
			}
		}
		for _, n := range names {
			out = append(out, m.flags(n, root)...)
		}
		if dir == root || dir == filepath.Dir(dir) {
			break
		}
	}
	return out
}

// flags are the flags in a variable that are the preprocessor's.
func (m *makefile) flags(name, root string) []string {
	place := strings.NewReplacer("$(srctree)/$(src)", m.dir, "$(srctree)", root, "$(src)", m.dir, "$(obj)", m.dir, "$(objtree)", root)
	var words []string
	for _, w := range m.values[name] {
		words = append(words, m.expand(w, 4)...)
	}
	var out []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		flag := w[:min(2, len(w))]
		if flag != "-I" && flag != "-D" {
			continue
		}
		value := w[2:]
		if value == "" && i+1 < len(words) {
			i++
			value = words[i]
		}
		value = place.Replace(value)
		for v := range m.values {
			value = strings.ReplaceAll(value, "$("+v+")", place.Replace(strings.Join(m.values[v], " ")))
		}
		if flag == "-I" && !filepath.IsAbs(value) {
			value = filepath.Join(root, value)
		}
		if flag == "-D" {
			value = strings.NewReplacer(`\"`, `"`, `'`, "").Replace(value)
		}
		if !strings.Contains(value, "$") {
			out = append(out, flag+value)
		}
	}
	return out
}
