module stop

go 1.22
