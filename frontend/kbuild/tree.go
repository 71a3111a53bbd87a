package kbuild

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
)

// Tree is a build of a kernel.
type Tree struct {
	// Build has what the configuration made, Source the headers that come with the source.
	Build, Source string
	Arch          string            // the name of its folder below arch
	Config        map[string]string // CONFIG_…: y, m or a value
}

// installed are places of headers for modules, those of the running kernel first.
func installed() []string {
	var out []string
	if v, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		out = append(out, filepath.Join("/lib/modules", strings.TrimSpace(string(v)), "build"))
	}
	for _, pattern := range []string{"/usr/src/linux-headers-*-" + runtime.GOARCH, "/lib/modules/*/build", "/usr/src/linux-headers-*"} {
		found, _ := filepath.Glob(pattern) // the patterns are well formed
		sort.Sort(sort.Reverse(sort.StringSlice(found)))
		out = append(out, found...)
	}
	return out
}

// Installed is the build of which the headers are installed, "" where none is.
func Installed() string {
	for _, d := range installed() {
		if configured(d) {
			return d
		}
	}
	return ""
}

// generated is what a configured build has.
const generated = "include/generated/autoconf.h"

func configured(dir string) bool { return exists(filepath.Join(dir, generated)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Open opens a build, "" that of which the headers are installed.
func Open(dir string) (*Tree, error) {
	if dir == "" {
		if dir = Installed(); dir == "" {
			return nil, errors.New("no headers of a kernel are installed: install them (Debian: linux-headers-amd64), or name a configured tree")
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if !configured(dir) {
		return nil, fmt.Errorf("%s is no configured kernel: it has no %s (make defconfig modules_prepare makes it)", dir, generated)
	}
	t := &Tree{Build: dir, Source: dir}
	if !exists(filepath.Join(dir, "include/linux/kconfig.h")) {
		if t.Source = sourceOf(dir); t.Source == "" {
			return nil, fmt.Errorf("%s: its Makefile does not say where the kernel's headers are", dir)
		}
	}
	if t.Config, err = readConfig(dir); err != nil {
		return nil, err
	}
	t.Arch = t.arch()
	if !exists(filepath.Join(t.Source, "arch", t.Arch, "include")) {
		return nil, fmt.Errorf("%s: there is no arch/%s/include", t.Source, t.Arch)
	}
	return t, nil
}

// included matches what the Makefile of a build in a folder of its own names.
var included = regexp.MustCompile(`(?m)^include\s+(\S+)/Makefile\s*$`)

// sourceOf is the source of a build in a folder of its own.
func sourceOf(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "Makefile"))
	if err != nil {
		return ""
	}
	m := included.FindSubmatch(text)
	if m == nil {
		return ""
	}
	src := string(m[1])
	if !filepath.IsAbs(src) {
		src = filepath.Join(dir, src)
	}
	if !exists(filepath.Join(src, "include/linux/kconfig.h")) {
		return ""
	}
	return src
}

func readConfig(dir string) (map[string]string, error) {
	f, err := os.Open(filepath.Join(dir, "include/config/auto.conf"))
	if err != nil {
		if f, err = os.Open(filepath.Join(dir, ".config")); err != nil {
			return nil, err
		}
	}
	defer f.Close()
	out := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), "=")
		if ok && strings.HasPrefix(name, "CONFIG_") {
			out[name] = strings.Trim(value, `"`)
		}
	}
	return out, lines.Err()
}

// arch is the architecture that is configured.
func (t *Tree) arch() string {
	for _, a := range []struct{ option, name string }{{"X86", "x86"}, {"ARM64", "arm64"}, {"ARM", "arm"},
		{"RISCV", "riscv"}, {"S390", "s390"}, {"PPC", "powerpc"}, {"MIPS", "mips"}, {"LOONGARCH", "loongarch"}} {
		if t.Config["CONFIG_"+a.option] == "y" {
			return a.name
		}
	}
	return "x86"
}

// Flags are the preprocessor's flags for a file of a module.
func (t *Tree) Flags(m Module, file string) []string {
	arch := filepath.Join("arch", t.Arch, "include")
	base := strings.TrimSuffix(filepath.Base(file), ".c")
	out := []string{"-nostdinc", "-D__KERNEL__"}
	if !m.BuiltIn {
		out = append(out, "-DMODULE")
	}
	if t.Config["CONFIG_HAVE_FENTRY"] == "y" {
		out = append(out, "-DCC_USING_FENTRY")
	}
	name := func(s string) string { return strings.NewReplacer("-", "_", ",", "_").Replace(s) }
	out = append(out, "-DKBUILD_MODNAME=\""+name(m.Name)+"\"", "-DKBUILD_BASENAME=\""+name(base)+"\"", "-DKBUILD_MODFILE=\""+m.Name+"\"")
	for _, h := range []string{"compiler-version.h", "kconfig.h", "compiler_types.h"} {
		if h := filepath.Join(t.Source, "include/linux", h); exists(h) {
			out = append(out, "-include", h)
		}
	}
	for _, d := range []string{filepath.Join(t.Source, arch), filepath.Join(t.Build, arch, "generated"),
		filepath.Join(t.Source, "include"), filepath.Join(t.Build, "include"),
		filepath.Join(t.Source, arch, "uapi"), filepath.Join(t.Build, arch, "generated/uapi"),
		filepath.Join(t.Source, "include/uapi"), filepath.Join(t.Build, "include/generated/uapi")} {
		out = append(out, "-I"+d)
	}
	out = append(out, t.local(file)...)
	return append(out, "-I"+filepath.Dir(file))
}
