package faulttest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// cliCells are the cells of the matrix for the real CLI.
func cliCells() []cell {
	return slices.DeleteFunc(cells(false), func(c cell) bool {
		// The gate needs the calls of the plugin protocol, which are not
		// visible here.
		return c.fault.refused
	})
}

// sample selects cells so that every fault, every call and every time of
// injection occurs equally often.
func sample(list []cell, size int) []cell {
	taken := map[string]int{}
	var sample []cell
	for range size {
		times := func(c cell) int { return taken[c.fault.name] + taken[c.path] + taken[c.when] + 2*size*taken[c.name()] }
		next := slices.MinFunc(list, func(a, b cell) int { return times(a) - times(b) })
		for _, part := range []string{next.fault.name, next.path, next.when, next.name()} {
			taken[part]++
		}
		sample = append(sample, next)
	}
	return sample
}

// TestSample: the sample contains every fault, every time of injection and
// every call of servings and app images, and no cell twice.
func TestSample(t *testing.T) {
	t.Parallel()
	due, got := map[string]bool{}, map[string]bool{}
	for _, c := range cells(false) {
		due[c.fault.name], due[c.when] = true, true
		due[c.path] = due[c.path] || !c.isCrudResource()
	}
	list := sample(cells(false), shortMatrix)
	for _, c := range list {
		if got[c.name()] {
			t.Errorf("twice: %s", c.name())
		}
		got[c.fault.name], got[c.path], got[c.when], got[c.name()] = true, true, true, true
	}
	for part := range due {
		if due[part] && !got[part] {
			t.Errorf("the sample has no cell of %q", part)
		}
	}
	if len(list) != shortMatrix {
		t.Errorf("%d cells", len(list))
	}
}

// TestAccMatrix runs cells of the matrix with the built provider and a real CLI
// with full logs.
func TestAccMatrix(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestMatrix"))
	t.Parallel()
	newCLI(t) // skips without one, and builds the provider
	runMatrix(t, "fault matrix under the CLI", 4, cliCells(), cell.runCLI)
}

func (c cell) runCLI(t *testing.T, counters *totals) {
	testCase := scenarios[c.scenario](max(1, c.nth))
	b := newTestbed(t, sandbox.Options{Timing: c.timing(), Autonomy: testCase.node})
	w := newCLI(t)
	if len(testCase.initial.resources()) > 0 {
		w.configure(b.terraform.providerBlock, testCase.initial.within("1m"))
		if output, code := w.apply(t); code != 0 {
			t.Fatalf("before the fault:\n%s", withoutLog(output))
		}
		counters.applies.Add(1)
	}
	hits, ok := faultCase{
		inject: func() func() int { return c.injectFault(t, b, testCase.desired, c.fault.requestTimeout(1)) },
		apply: func() (bool, string) {
			w.configure(b.terraform.providerBlock, testCase.desired.within(faultyTimeouts[0]))
			output, code := w.apply(t)
			isOwnPanic := c.fault.name == "panic 11101" || c.fault.name == "panic after the effect"
			if code != 0 && (strings.Contains(output, "bug in the provider") || strings.Contains(output, "panic: runtime error") && !isOwnPanic) {
				t.Error("the output reports a bug of the provider")
			}
			w.checkNoSecrets(t, output)
			return code == 0, withoutLog(output)
		},
		differences: func() []string { return testCase.desired.differences(b.server) },
		converge: func() {
			b.configureProvider(b.server.Endpoint(), "20s")
			w.checkConverges(t, b, testCase.desired)
		},
	}.run(t)
	counters.record(hits, ok)
	if hits == 0 {
		counters.recordNotInjected(c)
	}
}
