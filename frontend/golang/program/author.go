package program

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// sameAuthor reports whether an imported package is read as the program's own. modules
// are the main modules: those of the packages that were named, and of the workspace.
// Modules that a local directory replaces belong to the author, too, as do vendored ones
// whose paths have the same owner.
func sameAuthor(p *packages.Package, modules map[string]bool) bool {
	m := p.Module
	if m == nil {
		return false
	}
	if modules[m.Path] || m.Replace != nil && m.Replace.Version == "" {
		return true
	}
	if !vendored(p) {
		return false
	}
	for main := range modules {
		if owner(main) == owner(m.Path) {
			return true
		}
	}
	return false
}

// vendored reports whether the files of a package lie in a vendor directory.
func vendored(p *packages.Package) bool {
	return slices.ContainsFunc(p.GoFiles, func(f string) bool {
		return strings.Contains(filepath.ToSlash(f), "/vendor/"+p.PkgPath+"/")
	})
}

// codeHosts keep modules of many owners, whose names are the second element of a module's
// path.
var codeHosts = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitea.com", "gitee.com", "git.sr.ht",
	"gopkg.in", "launchpad.net"}

// owner is the part of a module's path that says whose it is: a domain, or the account at
// a host of code. A path without a domain is its own.
func owner(path string) string {
	parts := strings.Split(path, "/")
	switch {
	case !strings.Contains(parts[0], "."):
		return path
	case slices.Contains(codeHosts, parts[0]) && len(parts) > 1:
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}
