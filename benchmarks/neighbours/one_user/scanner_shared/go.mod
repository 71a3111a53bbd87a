module ex/scanner_shared

go 1.26
