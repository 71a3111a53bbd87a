package golangci

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
)

func TestPlugin(t *testing.T) {
	make, err := register.GetPlugin("whoop")
	if err != nil {
		t.Fatal(err)
	}
	p, err := make(map[string]any{"timeout": "30s", "all": true})
	if err != nil {
		t.Fatal(err)
	}
	as, err := p.BuildAnalyzers()
	if err != nil || len(as) != 1 || as[0].Flags.Lookup("timeout").Value.String() != "30s" || as[0].Flags.Lookup("all").Value.String() != "true" {
		t.Errorf("analyzers %v, error %v", as, err)
	}
	if _, err := make(map[string]any{"nothing": 1}); err == nil {
		t.Error("an unknown setting is no error")
	}
}
