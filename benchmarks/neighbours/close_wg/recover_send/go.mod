module ex/recover_send

go 1.26
