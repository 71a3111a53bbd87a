package strategy

import (
	"encoding/gob"
	"fmt"
	"io"

	"whoop/explore"
	"whoop/explore/dpor"
	"whoop/ir"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// setup is what a worker in another process is told first: the program as text, with the
// number of its main function among all, and the options of its machine and search.
type setup struct {
	Program []byte
	Main    int
	Search  dpor.Setup
	// Failures and Attempts are those of vm.Config; Quiet are the numbers of instructions
	// that are no events, nil: none is (see Options.Quiet).
	Failures, Attempts bool
	Quiet              []int
	Proofs             bool
}

// join starts the workers in other processes, and makes them the pool's.
func (r *run) join(pool *dpor.Pool, c *vm.Program, cfg vm.Config, o dpor.Options) error {
	x := setup{Program: []byte(ir.String(r.p)),
		Search:   dpor.Setup{Algorithm: o.Algorithm, MaxEvents: o.MaxEvents},
		Failures: cfg.Failures, Attempts: cfg.Attempts, Proofs: r.opt.Quiet != nil}
	for i, f := range r.p.Funcs {
		if f == r.main.Func {
			x.Main = i
		}
	}
	eachInstr(r.p, func(i int, in ir.Instr) {
		if r.opt.Quiet != nil && r.opt.Quiet(in) {
			x.Quiet = append(x.Quiet, i)
		}
	})
	for range r.opt.Processes {
		conn, err := r.opt.Start()
		if err != nil {
			return fmt.Errorf("a worker does not start: %w", err)
		}
		m, err := vm.New(c, r.main.Func, cfg)
		if err != nil {
			return err
		}
		if err := gob.NewEncoder(conn).Encode(&x); err != nil {
			return fmt.Errorf("a worker does not start: %w", err)
		}
		pool.Join(conn, m)
	}
	return nil
}

// eachInstr tells of all instructions, with their numbers.
func eachInstr(p *ir.Program, f func(int, ir.Instr)) {
	i := 0
	for _, fn := range p.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				f(i, in)
				i++
			}
		}
	}
}

// Serve is a worker that another process has started: it explores what it is asked to,
// until the connection ends.
func Serve(conn io.ReadWriter) error {
	dec := gob.NewDecoder(byBytes{conn})
	var x setup
	if err := dec.Decode(&x); err != nil {
		return err
	}
	p, err := ir.Parse("program", x.Program)
	if err != nil {
		return err
	}
	if x.Main >= len(p.Funcs) {
		return fmt.Errorf("there is no function %d", x.Main)
	}
	var quiet func(ir.Instr) bool
	if x.Proofs {
		are, k := map[ir.Instr]bool{}, 0
		eachInstr(p, func(i int, in ir.Instr) {
			if k < len(x.Quiet) && x.Quiet[k] == i {
				are[in], k = true, k+1
			}
		})
		quiet = func(in ir.Instr) bool { return are[in] }
	}
	c, err := vm.CompileQuiet(p, quiet)
	if err != nil {
		return err
	}
	a := dpor.NewAsking(gob.NewEncoder(conn), gob.NewDecoder(byBytes{conn}), c)
	m, err := vm.New(c, p.Funcs[x.Main], vm.Config{Failures: x.Failures,
		Attempts: x.Attempts && irutil.BlocksInside(p) != nil, Names: vm.AskedNames(a.Number)})
	if err != nil {
		return err
	}
	return dpor.Serve(m, x.Search, a)
}

// byBytes reads no more than it is asked for: what comes behind is for another decoder.
type byBytes struct{ io.Reader }

// ReadByte reads one byte.
func (r byBytes) ReadByte() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(r.Reader, b[:])
	return b[0], err
}

// foundFar is found for workers in other processes.
func (r *run) foundFar(f dpor.Far) bool {
	if f.Kind != "" && r.unfollowed(f.Kind, pos(f.At)) {
		return true
	}
	return r.confirm(f.Key, f.Sure, func() explore.Path { return f.Path })
}
