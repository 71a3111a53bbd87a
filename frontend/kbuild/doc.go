// Package kbuild finds the modules of a Linux source tree and what the kernel's build
// gives the preprocessor for their files.
//
//	t, err := kbuild.Open("")                    // the headers that Debian has installed
//	mods, err := t.Modules("linux/drivers/char") // what the configuration builds below it
//	flags := t.Flags(mods[0], mods[0].Files[0])
//
// A tree is a build: a configured source tree, a directory of O=, or a package of headers.
// The sources may lie elsewhere (Debian: linux-source and linux-headers). Makefiles are
// read for what lists files and flags: assignments to obj-*, NAME-objs, NAME-y, ccflags-y,
// subdir-ccflags-y, CFLAGS_*.o and variables, with the configuration's values; conditions
// (ifeq) are not evaluated, what is in any of their branches counts. Where a module has no
// such line, it is one file.
package kbuild
