package alias

import "whoop/ir"

func freshAccesses(s *solver) map[ir.Instr]bool { return map[ir.Instr]bool{} }
