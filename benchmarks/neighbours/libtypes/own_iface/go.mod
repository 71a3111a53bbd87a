module ex/own_iface

go 1.26
