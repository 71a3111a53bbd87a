module ex/json_encoder_ok

go 1.26
