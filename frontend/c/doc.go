// Package c is the C front end: source files in, an ir.Program out.
//
// Parse preprocesses and type-checks a file with modernc.org/cc/v4 (no compiler is
// needed: predefined macros and small standard headers are embedded), cutting out
// functions that cc rejects. Lower turns the units of one program into IR, with API calls
// as the models say. Load does both for a file, a directory or a compile_commands.json.
//
//	m, _ := models.Load()
//	prog, err := c.Load("driver.c", m, c.Options{})
package c
