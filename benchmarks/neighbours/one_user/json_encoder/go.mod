module ex/json_encoder

go 1.26
