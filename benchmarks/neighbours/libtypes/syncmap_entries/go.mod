module ex/syncmap_entries

go 1.26
