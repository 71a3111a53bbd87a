module ex/select_send

go 1.26
