module ex/flag_atomic

go 1.26
