package witness_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"whoop/trace/witness"
)

// yamlOf is a YAML witness with some segments; each waypoint is "type line[:column]
// [thread] [constraint]".
func yamlOf(spec string, segments ...[]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `- entry_type: violation_sequence
  metadata:
    format_version: "2.2"
    uuid: 00000000-0000-8000-8000-000000000000
    creation_time: "2026-01-02T03:04:05+02:00"
    producer: {name: other, version: "7"}
    task:
      input_files: [prog.c]
      input_file_hashes: {}
      specification: %q
      data_model: LP64
      language: C
  content:
`, spec)
	for _, s := range segments {
		b.WriteString("  - segment:\n")
		for _, w := range s {
			f := strings.SplitN(w+"||", "|", 4)
			at, col, _ := strings.Cut(f[1], ":")
			fmt.Fprintf(&b, "    - waypoint:\n        type: %s\n        action: follow\n", f[0])
			fmt.Fprintf(&b, "        location: {file_name: prog.c, line: %s", at)
			if col != "" {
				fmt.Fprintf(&b, ", column: %s", col)
			}
			b.WriteString("}\n")
			if f[2] != "" {
				fmt.Fprintf(&b, "        thread_id: %s\n", f[2])
			}
			if c := strings.TrimRight(f[3], "|"); c != "" {
				fmt.Fprintf(&b, "        constraint: {value: %q}\n", c)
			}
		}
	}
	return b.String()
}

// graphOf is a GraphML witness: each edge is "key=value,…".
func graphOf(spec string, edges ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><graphml><key attr.name="lineOfStart" for="edge" id="startline"/><graph edgedefault="directed">
<data key="witness-type">violation_witness</data><data key="sourcecodelang">C</data><data key="producer">other</data>
`)
	fmt.Fprintf(&b, "<data key=\"specification\">%s</data>\n<node id=\"n0\"><data key=\"entry\">true</data></node>\n<node id=\"dead\"><data key=\"sink\">true</data></node>\n", spec)
	for i, e := range edges {
		fmt.Fprintf(&b, "<node id=\"n%d\">", i+1)
		if i+1 == len(edges) {
			b.WriteString(`<data key="violation">true</data>`)
		}
		fmt.Fprintf(&b, "</node>\n<edge source=\"n%d\" target=\"dead\"/><edge source=\"n%d\" target=\"n%d\">", i, i, i+1)
		for _, kv := range strings.Split(e, ",") {
			k, v, _ := strings.Cut(kv, "=")
			fmt.Fprintf(&b, "<data key=\"%s\">%s</data>", k, v)
		}
		b.WriteString("</edge>\n")
	}
	return b.String() + "</graph></graphml>\n"
}

const (
	unreach = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
	noRace  = "CHECK( init(main()), LTL(G ! data-race) )"
)

const twoThreads = `extern void abort(void);
#include <pthread.h>
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
int x, g;
void *one(void *a) {
  int t = x;
  x = t + 1;
  return 0;
}
int main(void) {
  pthread_t p, q;
  int v = __VERIFIER_nondet_int();
  pthread_create(&p, 0, one, 0);
  pthread_create(&q, 0, one, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  if (v > 10)
    g = v;
  if (x == 1 && g == 77)
    reach_error();
  return 0;
}
`

// TestOthers: witnesses as other tools write them, with fewer waypoints and other labels.
func TestOthers(t *testing.T) {
	p := load(t, twoThreads)
	for _, x := range []struct{ name, file, want string }{
		{"every step", yamlOf(unreach, []string{"function_return|13:33|0|\\result == 77"}, []string{"assumption|7:3|1|1"}, []string{"assumption|7:3|2|1"},
			[]string{"assumption|8:3|1|1"}, []string{"target|21:5|0|"}), ""},
		{"numbers from 1", yamlOf(unreach, []string{"function_return|13:33|1|\\result == 77"}, []string{"assumption|7:3|2|1"}, []string{"assumption|7:3|3|1"},
			[]string{"target|21:5|1|"}), ""},
		{"labels", graphOf(unreach, "startline=13,threadId=m,enterFunction=main,assumption=v == 77;", "startline=14,threadId=m,createThread=a",
			"startline=15,threadId=m,createThread=b", "startline=7,threadId=b,enterFunction=one", "startline=7,threadId=a,enterFunction=one",
			"threadId=b", "startline=8,threadId=b", "threadId=b,returnFromFunction=one", "startline=20,threadId=m,control=condition-true", "startline=21,threadId=m"), ""},
		{"no threads", yamlOf(unreach, []string{"function_return|13||\\result == 77"}, []string{"target|21||"}), ""},
		{"branches", yamlOf(unreach, []string{"function_return|13|0|77 <= \\result"}, []string{"branching|18:3|0|true"}, []string{"target|21|0|"}), ""},
		{"a step that is none", graphOf(unreach, "startline=5,threadId=0", "startline=13,threadId=0,assumption=v == 77;", "startline=12,threadId=0,enterFunction=foo",
			"startline=7,threadId=1", "startline=7,threadId=2", "startline=21,threadId=0"), ""},
		{"two accesses", yamlOf(noRace, []string{"assumption|15:3|0|1"}, []string{"target|7:3|1|", "target|8:3|2|"}), ""},
		{"one access", yamlOf(noRace, []string{"target|8:3|1|"}), ""},
		{"last edges race", graphOf(noRace, "startline=14,threadId=0", "startline=15,threadId=0", "startline=8,threadId=1", "startline=8,threadId=2"), ""},
		{"a wrong value", yamlOf(unreach, []string{"function_return|13:33|0|\\result == 78"}, []string{"assumption|7:3|1|1"}, []string{"assumption|7:3|2|1"},
			[]string{"target|21:5|0|"}), "the execution ends"},
		{"a wrong constraint", yamlOf(unreach, []string{"assumption|14:3|0|v == 5 && v == 6"}, []string{"target|21:5|0|"}), "0 of 1 waypoints"},
		{"a wrong place", yamlOf(unreach, []string{"function_return|13:33|0|\\result == 77"}, []string{"assumption|7:3|1|1"}, []string{"assumption|7:3|2|1"},
			[]string{"target|20:3|0|"}), "fails elsewhere"},
		{"no race", yamlOf(noRace, []string{"target|5:3|1|"}), "no execution"},
		{"no thread", yamlOf(noRace, []string{"target|7:3|8|", "target|8:3|9|"}), "no execution"},
		{"a race of one thread", yamlOf(noRace, []string{"target|7:3|1|", "target|7:3|1|"}), "of one thread"},
	} {
		t.Run(x.name, func(t *testing.T) {
			w, err := witness.Read(strings.NewReader(x.file))
			if err != nil {
				t.Fatalf("%v\n%s", err, x.file)
			}
			res, err := w.Violation.Replay(context.Background(), p, witness.Options{Steps: 300_000})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case x.want == "" && !res.Confirmed:
				t.Errorf("not confirmed: %s", res.Reason)
			case x.want != "" && (res.Confirmed || !strings.Contains(res.Reason, x.want)):
				t.Errorf("confirmed %t, reason %q: want %q", res.Confirmed, res.Reason, x.want)
			}
			t.Logf("%d steps, %d deviations, notes %q", res.Steps, res.Deviations, res.Notes)
		})
	}
}

// TestUseless: what cannot be replayed is an error.
func TestUseless(t *testing.T) {
	p := load(t, twoThreads)
	for _, x := range []struct{ file, want string }{
		{yamlOf("CHECK( init(main()), LTL(F end) )", []string{"target|5|0|"}), "specification"},
	} {
		w, err := witness.Read(strings.NewReader(x.file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Violation.Replay(context.Background(), p, witness.Options{}); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v, want %q", err, x.want)
		}
	}
	for _, x := range []struct{ file, want string }{
		{yamlOf("CHECK( init(main()), LTL(G ! overflow) )", []string{"target|5|0|"}), "overflows are not looked for"},
	} {
		w, err := witness.Read(strings.NewReader(x.file))
		if err != nil {
			t.Fatal(err)
		}
		if res, err := w.Violation.Replay(context.Background(), p, witness.Options{}); err != nil || res.Confirmed || !strings.Contains(res.Reason, x.want) {
			t.Errorf("%+v %v, want %q", res, err, x.want)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	w, err := witness.Read(strings.NewReader(yamlOf(unreach, []string{"target|21|0|"})))
	if err != nil {
		t.Fatal(err)
	}
	res, err := w.Violation.Replay(ctx, p, witness.Options{})
	if err != nil || res.Confirmed || !strings.Contains(res.Reason, "interrupted") {
		t.Errorf("%+v %v", res, err)
	}
}
