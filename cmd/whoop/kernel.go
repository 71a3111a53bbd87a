package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"whoop/frontend/kbuild"
	"whoop/pipeline"
)

// kernelFlag is the flag that names the build of a kernel.
func kernelFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "kernel", "", "the C files are a kernel's: preprocess them as the configured tree, build or headers in `DIR` do; a file stands for its module (default for files that a kernel's Makefile lists: the headers that are installed)")
}

// kernelModule preprocesses the module of a kernel that a file belongs to. It returns the
// files to read instead of paths, and a note for the report; done removes them. Paths that
// are no file of a kernel stay what they are.
func kernelModule(ctx context.Context, paths []string, dir string, o *pipeline.Options) (files []string, note string, done func(), err error) {
	done = func() {}
	asked := dir != ""
	if len(paths) == 0 || !isKernelFile(paths, asked, o) {
		if asked {
			return nil, "", done, usage("--kernel wants C files of a kernel's source")
		}
		return paths, "", done, nil
	}
	if !asked && kbuild.Installed() == "" {
		return paths, "", done, nil
	}
	t, err := kbuild.Open(dir)
	if err != nil {
		return nil, "", done, fmt.Errorf("--kernel: %w", err)
	}
	m := kbuild.Module{Name: strings.TrimSuffix(filepath.Base(paths[0]), ".c"), Dir: filepath.Dir(paths[0])}
	for _, p := range paths {
		if p, err = filepath.Abs(p); err != nil {
			return nil, "", done, err
		}
		m.Files = append(m.Files, p)
	}
	if len(paths) == 1 {
		ms, err := t.Modules(paths[0], false)
		if err != nil {
			return nil, "", done, err
		}
		m = ms[0]
	}
	tmp, err := os.MkdirTemp("", "whoop-*")
	if err != nil {
		return nil, "", done, err
	}
	done = func() { os.RemoveAll(tmp) }
	files, err = preprocessModule(ctx, t, m, tmp)
	if err != nil {
		done()
		return nil, "", func() {}, err
	}
	o.Sources = true
	return files, moduleNote(t, m), done, nil
}

// moduleNote says what a kernel's file was read as.
func moduleNote(t *kbuild.Tree, m kbuild.Module) string {
	var names []string
	for _, f := range m.Files {
		names = append(names, filepath.Base(f))
	}
	return fmt.Sprintf("module %s of %s, preprocessed with %s", m.Name, strings.Join(names, ", "), t.Build)
}

// isKernelFile reports whether paths are C files of a kernel: that was said, or its
// Makefile lists them, and nothing else was said of how they are preprocessed.
func isKernelFile(paths []string, asked bool, o *pipeline.Options) bool {
	for _, p := range paths {
		if filepath.Ext(p) != ".c" || !asked && !kbuild.Lists(p) {
			return false
		}
	}
	c := o.C
	return asked || len(c.IncludeDirs)+len(c.Includes)+len(c.Defines) == 0 && !c.SystemHeaders && !c.NoSystemHeaders && !c.KernelHeaders
}

// preprocessModule preprocesses the files of a module into a directory.
func preprocessModule(ctx context.Context, t *kbuild.Tree, m kbuild.Module, dir string) ([]string, error) {
	var out []string
	for i, f := range m.Files {
		to := filepath.Join(dir, fmt.Sprintf("%d-%s.i", i, strings.TrimSuffix(filepath.Base(f), ".c")))
		if err := preprocess(ctx, t.Flags(m, f), f, to); err != nil {
			return nil, err
		}
		out = append(out, to)
	}
	return out, nil
}
