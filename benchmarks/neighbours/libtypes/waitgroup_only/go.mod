module ex/waitgroup_only

go 1.26
