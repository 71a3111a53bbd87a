module ex/close_twice_defer

go 1.26
