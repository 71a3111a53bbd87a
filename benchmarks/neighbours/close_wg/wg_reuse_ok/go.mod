module ex/wg_reuse_ok

go 1.26
