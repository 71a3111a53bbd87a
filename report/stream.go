package report

import (
	"bufio"
	"encoding/json"
	"io"
	"reflect"
)

// Reports of large modules have millions of pairs: what is written is never whole in
// memory.

// elements are those of an array that is not in memory.
type elements struct {
	n  int
	at func(i int) any
}

// writeFields writes a struct as json.Encoder does with two spaces of indentation, array by
// array; instead has the elements of some of its fields.
func writeFields(w io.Writer, v any, instead map[string]elements) error {
	out := bufio.NewWriter(w)
	out.WriteString("{") // the error is kept, and that of Flush
	x := reflect.ValueOf(v)
	for i := range x.NumField() {
		name, f := x.Type().Field(i).Tag.Get("json"), x.Field(i)
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n  \"" + name + "\": ")
		es, ok := instead[name]
		if !ok && f.Kind() == reflect.Slice && !f.IsNil() {
			es, ok = elements{f.Len(), func(i int) any { return f.Index(i).Interface() }}, true
		}
		var err error
		if ok {
			err = writeArray(out, es)
		} else {
			err = writeValue(out, f.Interface(), "  ")
		}
		if err != nil {
			return err
		}
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

func writeArray(out *bufio.Writer, es elements) error {
	if es.n == 0 {
		_, err := out.WriteString("[]")
		return err
	}
	out.WriteString("[")
	for i := range es.n {
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n    ")
		if err := writeValue(out, es.at(i), "    "); err != nil {
			return err
		}
	}
	_, err := out.WriteString("\n  ]")
	return err
}

func writeValue(out *bufio.Writer, v any, indent string) error {
	text, err := json.MarshalIndent(v, indent, "  ")
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}
