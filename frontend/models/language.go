package models

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Language is the language whose functions a file of models is about.
type Language string

// The languages of programs.
const (
	C  Language = "C"
	Go Language = "Go"
)

// goKeys are the keys that only files for Go have; "version" and "funcs" all may have, and
// the others files for C.
var goKeys = []string{"types", "packages", "safe", "stateful", "concurrent"}

// LanguageOf tells by what a file says which language it is for: by its keys, and by the
// names of functions, which have a dot in Go, after the package (sync.OnceFunc). A file
// that says things for both is an error. One that says nothing is for C.
func LanguageOf(name string, src []byte) (Language, error) {
	var file map[string]yaml.Node
	if err := yaml.Unmarshal(src, &file); err != nil {
		return C, nil // Decode says what is wrong
	}
	lang, why := Language(""), ""
	note := func(l Language, by string) error {
		if lang != "" && l != lang {
			return fmt.Errorf("%s: %s is for %s, and %s for %s: a file is for one language", name, why, lang, by, l)
		}
		lang, why = l, by
		return nil
	}
	for _, key := range sorted(file) {
		switch {
		case key == "version" || key == "funcs":
			continue
		case slices.Contains(goKeys, key):
			if err := note(Go, key); err != nil {
				return "", err
			}
		default:
			if err := note(C, key); err != nil {
				return "", err
			}
		}
	}
	funcs := file["funcs"]
	var names []struct {
		Names []string `yaml:"names"`
	}
	if err := funcs.Decode(&names); err != nil {
		names = nil // Decode says what is wrong
	}
	for _, f := range names {
		for _, n := range f.Names {
			l := C
			if strings.Contains(n, ".") {
				l = Go
			}
			if err := note(l, "function "+n); err != nil {
				return "", err
			}
		}
	}
	if lang == "" {
		lang = C
	}
	return lang, nil
}

func sorted(file map[string]yaml.Node) []string {
	var out []string
	for k := range file {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// ByLanguage divides files of models.
func ByLanguage(files []string) (map[Language][]string, error) {
	out := map[Language][]string{}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("models file: %w", err)
		}
		l, err := LanguageOf(name, src)
		if err != nil {
			return nil, err
		}
		out[l] = append(out[l], name)
	}
	return out, nil
}
