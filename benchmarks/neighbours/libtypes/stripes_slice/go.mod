module ex/stripes_slice

go 1.26
