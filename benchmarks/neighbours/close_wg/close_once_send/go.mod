module ex/close_once_send

go 1.26
