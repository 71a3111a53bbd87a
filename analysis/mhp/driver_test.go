package mhp

import "testing"

const driverPrelude = `
program "d"
global g: i32
func rd() void {
e:
  store plain &g, i32 100
  return
}
func irq() void {
e:
  store plain &g, i32 200
  return
}
entry rd kind "file_operations.read" multi
entry wr func rd kind "file_operations.write"
entry irq kind "irq"
exclude rd, wr "one lock"
`

func TestDrivers(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"plain", `
func probe() void {
e:
  store plain &g, i32 1
  return
}
entry probe kind "platform_driver.probe"`,
			"rd|irq=yes rd|rd=yes irq|irq=no rd|wr=no probe@1|rd=yes"},
		{"init registers all", `
func probe() void {
e:
  store plain &g, i32 1
  register misc_register
  store plain &g, i32 2
  return
}
entry probe kind "platform_driver.probe" init`,
			"probe@1|rd=no probe@2|rd=yes probe@1|irq=no probe@2|irq=yes probe|rd=yes"},
		{"init registers by kind, in a callee, on one path", `
func reg_() void {
e:
  goto a, b
a:
  register misc_register kinds "file_operations"
  return
b:
  return
}
func probe() void {
e:
  store plain &g, i32 1
  call reg_()
  store plain &g, i32 2
  register request_irq calls fn irq kinds irq
  store plain &g, i32 3
  return
}
entry probe kind "platform_driver.probe" init`,
			"probe@1|rd=no probe@2|rd=yes probe@2|irq=no probe@3|irq=yes"},
		{"nothing is registered", `
func probe() void {
e:
  store plain &g, i32 1
  return
}
entry probe kind "platform_driver.probe" init`,
			"probe@1|rd=yes"},
		{"registering leads to another init entry", `
func init_() void {
e:
  store plain &g, i32 1
  register platform_driver_register kinds "platform_driver"
  store plain &g, i32 2
  return
}
func probe() void {
e:
  store plain &g, i32 3
  register misc_register kinds "file_operations"
  store plain &g, i32 4
  return
}
entry init_ kind "init" init
entry probe kind "platform_driver.probe" init`,
			"init_@1|rd=no init_@2|rd=yes probe@3|rd=no probe@4|rd=yes init_@1|probe=no init_@2|probe=yes"},
		{"exit unregisters", `
func remove() void {
e:
  store plain &g, i32 1
  unregister free_irq kinds irq
  store plain &g, i32 2
  unregister misc_deregister
  store plain &g, i32 3
  return
}
entry remove kind "platform_driver.remove" exit`,
			"remove@1|rd=yes remove@2|rd=yes remove@3|rd=no remove@1|irq=yes remove@2|irq=no remove@3|irq=no"},
		{"exit unregisters on one path", `
func remove() void {
e:
  goto a, b
a:
  unregister misc_deregister
  goto b
b:
  store plain &g, i32 3
  return
}
entry remove kind "platform_driver.remove" exit`,
			"remove@3|rd=yes"},
		{"a kernel thread", `
func kt(arg: *void) *void {
e:
  store plain &g, i32 9
  return null *void
}
func probe() void {
  reg t: u64
e:
  store plain &g, i32 1
  t, _ := spawn kt(null *void)
  store plain &g, i32 2
  return
}
func open() void {
  reg t: u64
e:
  store plain &g, i32 3
  return
}
entry kt kind "thread" spawned
entry probe kind "platform_driver.probe" init
entry open kind "file_operations.open"`,
			"probe@1|kt=no probe@2|kt=yes open|kt=yes kt|kt=no rd|kt=yes"},
		{"a kernel thread of an entry that runs often", `
func kt(arg: *void) *void {
e:
  store plain &g, i32 9
  return null *void
}
func open() void {
  reg t: u64
e:
  store plain &g, i32 1
  t, _ := spawn kt(null *void)
  return
}
entry kt kind "thread" spawned
entry open kind "file_operations.open"`,
			"open@1|kt=yes kt|kt=yes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, r := load(t, driverPrelude+tc.src)
			check(t, p, r, tc.want)
		})
	}
}
