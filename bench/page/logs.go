package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"unicode/utf8"

	"whoop/bench"
	"whoop/bench/task"
)

// logText is what the page has of a run's log.
type logText struct {
	Text string `json:"text"`           // the log, or its two ends
	Note string `json:"note,omitempty"` // why that is not all
}

// embed takes the logs of runs into the page as far as the caps allow, one entry a run.
func embed(runs []bench.Run, o Options) ([]logText, error) {
	out := make([]logText, len(runs))
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return claim(&runs[order[a]]) < claim(&runs[order[b]]) })
	room := o.TotalCap
	for _, i := range order {
		l, err := read(o.Logs, runs[i].Log, o.LogCap, room)
		if err != nil {
			out[i].Note = "The log cannot be read: " + err.Error()
			continue
		}
		size, err := json.Marshal(l)
		if err != nil {
			return nil, err
		}
		if l.Text != "" && len(size) > room {
			l = logText{Note: full}
		} else {
			room -= len(size)
		}
		out[i] = l
	}
	return out, nil
}

const full = "The log is not in this page, which has no more room for logs; the link leads to it."

// claim is a run's rank among those whose logs are wanted in the page, the lowest first.
func claim(r *bench.Run) int {
	switch {
	case r.Class.Wrong():
		return 0
	case r.Verdict.Kind == task.Error:
		return 1
	}
	return 2
}

// read reads a log, of a long one the two ends, unless it cannot fit into the room.
func read(logs fs.FS, name string, limit, room int) (logText, error) {
	if logs == nil || name == "" {
		return logText{Note: "There is no log in this page."}, nil
	}
	f, err := logs.Open(name)
	if err != nil {
		return logText{}, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return logText{}, err
	}
	if !st.Mode().IsRegular() {
		return logText{}, errors.New(name + ": not a file")
	}
	if min(st.Size(), int64(limit)) > int64(room) {
		return logText{Note: full}, nil
	}
	if st.Size() <= int64(limit) {
		text, err := io.ReadAll(io.LimitReader(f, int64(limit)))
		return whole(text), err
	}
	return ends(f, st.Size(), limit)
}

func whole(text []byte) logText {
	if len(text) == 0 {
		return logText{Note: "The log is empty."}
	}
	return logText{Text: string(text)}
}

// ends reads the first and the last part of a log: what it starts with, and, as a rule
// more telling, how it ends.
func ends(f io.Reader, size int64, limit int) (logText, error) {
	head := make([]byte, limit*2/5)
	if _, err := io.ReadFull(f, head); err != nil {
		return logText{}, err
	}
	if _, err := io.CopyN(io.Discard, f, size-int64(limit)); err != nil {
		return logText{}, err
	}
	tail, err := io.ReadAll(io.LimitReader(f, int64(limit-len(head))))
	if err != nil {
		return logText{}, err
	}
	head, tail = wholeRunes(head, tail)
	left := size - int64(len(head)) - int64(len(tail))
	return logText{Text: fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", head, left, tail),
		Note: fmt.Sprintf("The beginning and the end of %d bytes; the link leads to the whole.", size)}, nil
}

// wholeRunes takes off the characters that a cut between head and tail has split.
func wholeRunes(head, tail []byte) ([]byte, []byte) {
	for i := len(head) - 1; i >= 0 && i >= len(head)-utf8.UTFMax; i-- {
		if utf8.RuneStart(head[i]) {
			if !utf8.FullRune(head[i:]) {
				head = head[:i]
			}
			break
		}
	}
	for n := 0; n < utf8.UTFMax && len(tail) > 0 && !utf8.RuneStart(tail[0]); n++ {
		tail = tail[1:]
	}
	return head, tail
}
