module ex/rows_shared

go 1.26
