module ex/wg_reuse_rounds

go 1.26
