module ex/wg_add_outside_ok

go 1.26
