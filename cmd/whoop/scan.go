package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	benchrun "whoop/bench/run"
	"whoop/diag"
	"whoop/frontend/kbuild"
	"whoop/pipeline"
	"whoop/report"
)

// scanFlags are the flags of scan.
type scanFlags struct {
	kernel, out, memory, since, worker string
	timeout                            time.Duration
	jobs                               int
	builtIn, fresh, list               bool
}

func scanCommand() *cobra.Command {
	var v scanFlags
	cmd := &cobra.Command{Use: "scan PATH…", Short: "Verify all modules of a kernel below a folder",
		Long: "Verify the modules of a Linux source tree that its Makefiles list below each PATH, each as a whole and in a process\n" +
			"of its own under limits:\n\n" +
			"    whoop scan drivers/char --kernel build\n\n" +
			"PATH may be a file, too, which stands for its module. The output directory gets a report of each module as a page,\n" +
			"text and JSON, and index.html and index.tsv of all. Called again, it goes on where it was stopped; a module is not verified again\n" +
			"whose preprocessed text has not changed.\n\n" +
			"Exit status: 0 all modules are race-free; 1 some have races; 3 none has, but something is undecided or unread;\n" +
			"2 the command line or the input cannot be used.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && v.worker == "" {
				return usage("scan wants a PATH: a folder of a kernel's source; see \"whoop scan --help\"")
			}
			return nil
		}}
	f := cmd.Flags()
	f.StringVar(&v.kernel, "kernel", "", "the configured tree, build or headers in `DIR` (default: the headers that are installed)")
	f.StringVarP(&v.out, "output", "o", "out/scan", "write everything into `DIR`")
	f.DurationVar(&v.timeout, "timeout", time.Minute, "processor time of each module; what is not proved by then is unknown")
	f.StringVar(&v.memory, "memory", "4GB", "memory of each module, as 500MB, 4GB or 2GiB; 0: no limit")
	f.IntVar(&v.jobs, "jobs", 1, "modules at once")
	f.StringVar(&v.since, "since", "", "only modules with files that git says have changed since `REV`")
	f.BoolVar(&v.builtIn, "builtin", false, "also what the configuration builds into the kernel")
	f.BoolVar(&v.fresh, "fresh", false, "begin anew, whatever the output directory has")
	f.BoolVar(&v.list, "list", false, "print the modules and their files, and verify nothing")
	f.StringVar(&v.worker, "worker", "", "verify one module")
	if err := f.MarkHidden("worker"); err != nil {
		panic(err) // there is no such flag
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if v.worker != "" {
			return scanWorker(cmd.Context(), v.worker, args, v.timeout)
		}
		if v.jobs < 1 || v.timeout < 0 {
			return usage("--jobs wants 1 or more, --timeout no negative time")
		}
		return scan(cmd, args, &v)
	}
	return cmd
}

// scanned is what came out of a module; the journal has one a line.
type scanned struct {
	Module  string       `json:"module"` // with its folder
	Files   []string     `json:"files"`
	Key     string       `json:"key"` // of what it depends on
	Verdict diag.Verdict `json:"verdict"`
	Entries int          `json:"entry_points"`
	Free    int          `json:"race_free"`
	Racy    int          `json:"racy"`
	Unknown int          `json:"unknown"`
	Fields  int          `json:"fields"`
	Races   int          `json:"races"`
	// First names the first findings of its page, of which there are Findings.
	First    []string `json:"first,omitempty"`
	Findings int      `json:"findings"`
	Seconds  float64  `json:"cpu_seconds"`
	Memory   int64    `json:"memory_bytes"`
	Problem  string   `json:"problem,omitempty"` // why there is no verdict
	Report   string   `json:"report,omitempty"`  // its path in the directory, without extension
}

// scanner scans modules.
type scanner struct {
	*scanFlags
	tree    *kbuild.Tree
	root    string // of the paths in the index
	memory  int64
	self    string
	version string // of this program
	mu      sync.Mutex
	done    map[string]scanned
	journal *os.File
}

const scanJournal = "journal.jsonl"

func scan(cmd *cobra.Command, args []string, v *scanFlags) error {
	s := &scanner{scanFlags: v, done: map[string]scanned{}}
	mods, err := s.modules(args)
	if err != nil {
		return err
	}
	if v.list {
		for _, m := range mods {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", s.name(m), strings.Join(s.relative(m), " "))
		}
		return nil
	}
	if err := s.prepare(); err != nil {
		return err
	}
	defer s.journal.Close()
	all := s.runAll(cmd.Context(), cmd.ErrOrStderr(), mods)
	if err := writeIndex(v.out, args, all); err != nil {
		return err
	}
	return s.finish(cmd, mods, all)
}

// modules lists what is to be scanned.
func (s *scanner) modules(paths []string) ([]kbuild.Module, error) {
	var err error
	if s.tree, err = kbuild.Open(s.kernel); err != nil {
		return nil, usage("--kernel: %w", err)
	}
	var mods []kbuild.Module
	for _, p := range paths {
		ms, err := s.tree.Modules(p, s.builtIn)
		if err != nil {
			return nil, err
		}
		mods = append(mods, ms...)
		s.root = kbuild.Top(p)
	}
	if s.since != "" {
		changed, err := changedSince(s.root, s.since)
		if err != nil {
			return nil, usage("--since: %w", err)
		}
		mods = slices.DeleteFunc(mods, func(m kbuild.Module) bool { return !touches(m, changed) })
	}
	if len(mods) == 0 && s.since == "" {
		return nil, usage("%s: the configuration builds no module there (--builtin: also what is built in)", strings.Join(paths, ", "))
	}
	return mods, nil
}

// changedSince lists the files that git says have changed.
func changedSince(dir, rev string) ([]string, error) {
	var said bytes.Buffer
	cmd := exec.Command("git", "-C", dir, "diff", "--name-only", "--relative", rev, "--", ".")
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return nil, errors.New(strings.TrimSpace(said.String()))
	}
	var out []string
	for _, f := range strings.Fields(string(text)) {
		out = append(out, filepath.Join(dir, f))
	}
	return out, nil
}

// touches reports whether files are a module's, or headers in the folders of its files.
func touches(m kbuild.Module, changed []string) bool {
	return slices.ContainsFunc(changed, func(f string) bool {
		return slices.Contains(m.Files, f) || strings.HasSuffix(f, ".h") &&
			slices.ContainsFunc(m.Files, func(g string) bool { return filepath.Dir(g) == filepath.Dir(f) })
	})
}

// name is a module's in the index.
func (s *scanner) name(m kbuild.Module) string {
	dir, err := filepath.Rel(s.root, m.Dir)
	if err != nil {
		dir = m.Dir
	}
	return filepath.ToSlash(filepath.Join(dir, m.Name))
}

func (s *scanner) relative(m kbuild.Module) (out []string) {
	for _, f := range m.Files {
		if r, err := filepath.Rel(m.Dir, f); err == nil {
			f = r
		}
		out = append(out, filepath.ToSlash(f))
	}
	return out
}

// prepare opens the output directory, and reads what is done there.
func (s *scanner) prepare() error {
	var err error
	if s.memory, err = parseSize(s.scanFlags.memory); err != nil {
		return usage("--memory: %w", err)
	}
	if s.self, err = os.Executable(); err != nil {
		return err
	}
	if s.version, err = fileHash(s.self); err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	path := filepath.Join(s.out, scanJournal)
	if s.fresh {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if s.journal, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return err
	}
	lines := bufio.NewScanner(s.journal)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var x scanned
		if json.Unmarshal(lines.Bytes(), &x) == nil { // a line that was cut off is done again
			s.done[x.Module] = x
		}
	}
	return lines.Err()
}

func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// runAll scans modules, several at a time, and says how far it is.
func (s *scanner) runAll(ctx context.Context, errw io.Writer, mods []kbuild.Module) []scanned {
	var bar *progressbar.ProgressBar
	if isTerminal(errw) {
		bar = progressbar.NewOptions(len(mods), progressbar.OptionSetWriter(errw), progressbar.OptionClearOnFinish(),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetDescription("modules"))
	}
	out := make([]scanned, len(mods))
	var wg sync.WaitGroup
	next, n := make(chan int), 0
	for range min(s.jobs, len(mods)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				x, kept := s.module(ctx, mods[i])
				if ctx.Err() != nil && !kept {
					continue // interrupted
				}
				s.mu.Lock()
				out[i], n = x, n+1
				if bar != nil {
					_ = bar.Set(n) // a bar that cannot be drawn is no reason to stop
				} else {
					fmt.Fprintf(errw, "%d/%d %s\n", n, len(mods), x.line(kept))
				}
				s.mu.Unlock()
			}
		}()
	}
	for i := range mods {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if bar != nil {
		_ = bar.Finish()
	}
	return slices.DeleteFunc(out, func(x scanned) bool { return x.Module == "" })
}

// line says in a line what came out of a module.
func (x scanned) line(kept bool) string {
	s := fmt.Sprintf("%s: %s", x.Module, x.Verdict)
	switch {
	case x.Problem != "":
		s += ": " + x.Problem
	case x.Racy > 0:
		s += fmt.Sprintf(", %d of %d pairs, %d fields", x.Racy, x.Free+x.Racy+x.Unknown, x.Fields)
	case x.Unknown > 0:
		s += fmt.Sprintf(", %d of %d pairs", x.Unknown, x.Free+x.Racy+x.Unknown)
	}
	if kept {
		return s + " (unchanged)"
	}
	return fmt.Sprintf("%s (%.1f s)", s, x.Seconds)
}

// module scans one module; kept: what the journal has of it is still true.
func (s *scanner) module(ctx context.Context, m kbuild.Module) (x scanned, kept bool) {
	x = scanned{Module: s.name(m), Files: s.relative(m), Verdict: diag.Unknown}
	tmp, err := os.MkdirTemp("", "whoop-*")
	if err != nil {
		x.Problem = err.Error()
		return x, false
	}
	defer os.RemoveAll(tmp)
	files, err := preprocessModule(ctx, s.tree, m, tmp)
	if err != nil {
		x.Problem = "it cannot be preprocessed: " + err.Error()
		return s.keep(ctx, x), false
	}
	if x.Key, err = s.key(files); err != nil {
		x.Problem = err.Error()
		return x, false
	}
	s.mu.Lock()
	old, ok := s.done[x.Module]
	s.mu.Unlock()
	if ok && old.Key == x.Key {
		return old, true
	}
	s.verify(ctx, &x, files)
	return s.keep(ctx, x), false
}

// key is equal where a module's verification would be the same.
func (s *scanner) key(files []string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, s.version, s.timeout, s.scanFlags.memory)
	for _, f := range files {
		text, err := fileHash(f)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, filepath.Base(f), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// verify verifies a module in a process of its own.
func (s *scanner) verify(ctx context.Context, x *scanned, files []string) {
	rep := filepath.Join(s.out, filepath.FromSlash(x.Module))
	if err := os.MkdirAll(filepath.Dir(rep), 0o777); err != nil {
		x.Problem = err.Error()
		return
	}
	for _, ext := range reportExts {
		os.Remove(rep + ext) // of an earlier scan
	}
	args := append([]string{s.self, "scan", "--worker", rep, "--timeout", s.timeout.String()}, files...)
	c := benchrun.Command{Args: args, Memory: s.memory, Log: rep + ".log"}
	if s.timeout > 0 { // it ends by itself, with a report
		c.CPU, c.Wall = 2*s.timeout+10*time.Second, 20*s.timeout+time.Minute
	}
	res, err := benchrun.New().Run(ctx, c)
	if err == nil && res.Problem != "" {
		err = errors.New(res.Problem)
	}
	if err != nil {
		x.Problem = err.Error()
		return
	}
	var found scanned
	x.Seconds, x.Memory = res.CPU.Seconds(), res.Memory
	switch {
	case res.End == benchrun.Exited && res.Exit == 0 && json.Unmarshal(res.Stdout, &found) == nil:
		os.Remove(rep + ".log")
		found.Module, found.Files, found.Key, found.Seconds, found.Memory = x.Module, x.Files, x.Key, x.Seconds, x.Memory
		*x = found
		if x.Problem == "" {
			x.Report = x.Module
		}
	case res.End == benchrun.Exited:
		x.Problem = "whoop has failed: see " + x.Module + ".log"
	default:
		x.Problem = fmt.Sprintf("ended by its limit: %s", res.End)
	}
}

// keep enters what came out of a module in the journal.
func (s *scanner) keep(ctx context.Context, x scanned) scanned {
	if ctx.Err() != nil {
		return x
	}
	text, err := json.Marshal(x)
	if err != nil {
		panic(err) // it has nothing that JSON has not
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.journal.Write(append(text, '\n')); err != nil && x.Problem == "" {
		x.Problem = err.Error()
	}
	return x
}

// finish says what came out of all.
func (s *scanner) finish(cmd *cobra.Command, mods []kbuild.Module, all []scanned) error {
	counts := map[diag.Verdict]int{}
	unread := 0
	for _, x := range all {
		counts[x.Verdict]++
		if x.Problem != "" {
			unread++
		}
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%d modules: %d race-free, %d racy, %d undecided (%d of them have no report)", len(all),
		counts[diag.RaceFree]+counts[diag.Nothing], counts[diag.Racy], counts[diag.Unknown], unread)
	if n := len(mods) - len(all); n > 0 {
		fmt.Fprintf(w, "; %d left: call it again to go on", n)
	}
	fmt.Fprintf(w, "\nwritten: %s, index.tsv, and a report a module\n", filepath.Join(s.out, "index.html"))
	switch {
	case counts[diag.Racy] > 0:
		return status(1)
	case counts[diag.Unknown] > 0 || len(all) < len(mods):
		return status(3)
	}
	return nil
}

var reportExts = []string{".txt", ".json", ".html", ".log"}

// scanWorker verifies one module and prints what came out for the process that has
// started it.
func scanWorker(ctx context.Context, rep string, files []string, timeout time.Duration) error {
	o := pipeline.Options{Jobs: 1, Comments: true, Sources: true, More: files[1:]}
	if timeout > 0 {
		var cancel func()
		ctx, cancel = withProcessor(ctx, timeout)
		defer cancel()
		o.Timeout = 15 * timeout // on the clock
	}
	var x scanned
	r, err := pipeline.Verify(ctx, files[0], o)
	if err != nil {
		x.Verdict, x.Problem = diag.Unknown, firstLine(err)
		return json.NewEncoder(os.Stdout).Encode(x)
	}
	r.Version = version
	r.Input = filepath.Base(rep)
	x.count(r)
	for ext, render := range map[string]func(io.Writer) error{
		".txt":  func(w io.Writer) error { return report.Text(w, r, report.Options{}) },
		".json": func(w io.Writer) error { return report.JSON(w, r) },
		".html": func(w io.Writer) error { return report.HTML(w, r) },
	} {
		if err := output(nil, "--output", rep+ext, render); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(x)
}

// withProcessor ends a context when this process has used so much of the processor.
func withProcessor(ctx context.Context, limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				var u syscall.Rusage
				if syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil && time.Duration(u.Utime.Nano()+u.Stime.Nano()) > limit {
					cancel()
				}
			}
		}
	}()
	return ctx, cancel
}

func firstLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// count fills in what a report has.
func (x *scanned) count(r *diag.Report) {
	x.Verdict, x.Entries, x.Races = r.Verdict, len(r.Entries), len(r.Races)
	x.First, x.Findings = report.FirstFindings(r)
	for _, p := range r.Pairs {
		switch p.Verdict {
		case diag.Racy:
			x.Racy++
		case diag.Unknown:
			x.Unknown++
		default:
			x.Free++
		}
	}
	fields := map[string]bool{}
	for _, y := range r.Races {
		fields[y.Field+"\x00"+y.Region] = true
		if y.Field != "" {
			delete(fields, y.Field+"\x00"+y.Region)
			fields[y.Field] = true
		}
	}
	x.Fields = len(fields)
}
