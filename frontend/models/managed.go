package models

import (
	"slices"
	"strings"
)

// ReleaseFunc is the name of the function that the front end makes where a program has
// resources that belong to a device (devm_kzalloc, devm_request_irq): it gives them back,
// the last one first. The kernel calls it after a driver's remove function has returned;
// package entry says which functions these are.
const ReleaseFunc = "devres.release"

// FailedFunc is the name of the one that the kernel calls after a failed probe.
const FailedFunc = "devres.failed"

// Managed reports whether what the kernel's function of that name sets up is given back
// when the device goes: that is what the names of the managed interfaces mean
// (Documentation/driver-api/driver-model/devres.rst).
func Managed(name string) bool {
	name = strings.TrimLeft(name, "_")
	return strings.HasPrefix(name, "devm_") || strings.HasPrefix(name, "dmam_")
}

// Releases reports whether a device's resources are given back after this member of the
// table has returned: the function by which a bus takes a device from its driver.
func (t *OpTable) Releases(member string) bool {
	return strings.HasSuffix(t.Struct, "_driver") && t.First != "" && len(t.Init) > 0 && slices.Contains(t.Exit, member)
}
