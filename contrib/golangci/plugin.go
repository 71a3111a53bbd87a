// Package golangci is the race check as a module plugin of golangci-lint; README.md says
// how to build it.
package golangci

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"whoop/pipeline/goanalysis"
)

func init() { register.Plugin(goanalysis.Analyzer.Name, newPlugin) }

type plugin struct{}

// newPlugin takes the settings: the flags of the analyzer, by their names.
func newPlugin(settings any) (register.LinterPlugin, error) {
	values, err := register.DecodeSettings[map[string]any](settings)
	if err != nil {
		return nil, err
	}
	for name, v := range values {
		if err := goanalysis.Analyzer.Flags.Set(name, fmt.Sprint(v)); err != nil {
			return nil, fmt.Errorf("setting %s: %w", name, err)
		}
	}
	return plugin{}, nil
}

func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{goanalysis.Analyzer}, nil
}

func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
