module ex/builder_join

go 1.26
