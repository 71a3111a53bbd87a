module ex/once_state

go 1.26
