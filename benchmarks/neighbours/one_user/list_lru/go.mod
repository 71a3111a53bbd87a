module ex/list_lru

go 1.26
