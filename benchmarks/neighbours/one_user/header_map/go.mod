module ex/header_map

go 1.26
