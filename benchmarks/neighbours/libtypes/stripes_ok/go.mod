module ex/stripes_ok

go 1.26
