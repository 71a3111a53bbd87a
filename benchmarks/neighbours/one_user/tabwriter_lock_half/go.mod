module ex/tabwriter_lock_half

go 1.26
