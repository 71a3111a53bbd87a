package bench

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// WriteFiles writes results.csv, results.json and table.txt into a directory. Each file
// appears as a whole or stays as it was.
func WriteFiles(dir string, r *Results) error {
	for _, f := range []struct {
		name   string
		render func(io.Writer, *Results) error
	}{{"results.csv", CSV}, {"results.json", JSON}, {"table.txt", Table}} {
		var b bytes.Buffer
		if err := f.render(&b, r); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := WriteFile(filepath.Join(dir, f.name), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile writes a file by way of another in the same directory, so that a failure
// leaves what was there.
func WriteFile(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".bench-*")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// JSON writes the results as they are.
func JSON(w io.Writer, r *Results) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// CSV writes a line for each run.
func CSV(w io.Writer, r *Results) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"task", "family", "property", "config", "expected", "verdict", "class", "score", "cpu_seconds", "wall_seconds",
		"memory_bytes", "end", "exit", "log", "witness"}}
	for _, x := range r.Runs {
		rows = append(rows, []string{x.Task, x.Family, x.Property, x.Config, x.Expected.String(), x.Verdict.String(), x.Class.String(),
			strconv.Itoa(x.Score), seconds(x.CPUSeconds), seconds(x.WallSeconds), strconv.FormatInt(x.MemoryBytes, 10),
			string(x.End), strconv.Itoa(x.Exit), x.Log, x.Witness})
	}
	return out.WriteAll(rows)
}

// seconds is a time for tables: to the millisecond.
func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
