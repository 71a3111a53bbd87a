module ex/wg_add_inside

go 1.26
