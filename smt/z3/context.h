#include <stdlib.h>
#include <z3.h>

static void whoop_ignore(Z3_context c, Z3_error_code e) {}

// whoop_context makes a context whose errors are asked for after each call instead of ending the process. counted: its terms go
// when nobody holds a reference; else with the context.
static inline Z3_context whoop_context(int counted) {
	Z3_config cfg = Z3_mk_config();
	Z3_context c = counted ? Z3_mk_context_rc(cfg) : Z3_mk_context(cfg);
	Z3_del_config(cfg);
	Z3_set_error_handler(c, whoop_ignore);
	return c;
}

// whoop_params are a solver's parameters, to be freed by the caller. ctrl_c is off: during a check Z3 would replace the process's
// handler of SIGINT by one that does not know Go's threads and crashes on them.
static inline Z3_params whoop_params(Z3_context c) {
	Z3_params p = Z3_mk_params(c);
	Z3_params_inc_ref(c, p);
	Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "ctrl_c"), 0);
	return p;
}
