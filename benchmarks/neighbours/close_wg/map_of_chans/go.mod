module ex/map_of_chans

go 1.26
