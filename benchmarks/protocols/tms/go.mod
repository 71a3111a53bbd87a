module tms

go 1.22
