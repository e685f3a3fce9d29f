//go:build unix

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// results is a file of results, written with each of them, so that an interrupted run goes
// on with those that it has.
type results[V any] struct {
	name  string
	known map[string]V
}

func openResults[V any](name string) (*results[V], error) {
	r := &results[V]{name, map[string]V{}}
	content, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return r, os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err != nil {
		return nil, err
	}
	return r, json.Unmarshal(content, &r.known)
}

func (r *results[V]) add(key string, value V) error {
	r.known[key] = value
	content, err := json.Marshal(r.known)
	if err != nil {
		return err
	}
	if err := os.WriteFile(r.name+".new", content, 0o644); err != nil {
		return err
	}
	return os.Rename(r.name+".new", r.name)
}

// reach is what a test does without a mutant.
type reach struct {
	Seconds float64
	// Mutants has a bit for each mutant.
	Mutants []byte
	// Failed is what a test prints that fails without a mutant. It judges none.
	Failed string `json:",omitempty"`
}

func (r reach) reaches(id int) bool {
	return r.Failed == "" && id/8 < len(r.Mutants) && r.Mutants[id/8]&(1<<(id%8)) != 0
}

// record runs each test alone.
func (j *judge) record(ctx context.Context) error {
	for _, p := range j.programs {
		known, err := openResults[reach](filepath.Join(j.cache, "reach", p.hash+j.mode()+".json"))
		if err != nil {
			return err
		}
		j.logf("Recording %d tests of %s, %d of them are known.", len(p.tests), p.pkg, len(known.known))
		for _, test := range p.tests {
			if _, ok := known.known[test]; !ok {
				reached, err := j.recordTest(ctx, p, test)
				if err != nil {
					return err
				}
				if err := known.add(test, reached); err != nil {
					return err
				}
			}
			if problem := known.known[test].Failed; problem != "" {
				j.logf("%s of %s fails without a mutant, and judges none:\n%s", test, p.pkg, problem)
			}
		}
		j.reach[p.pkg] = known.known
	}
	return nil
}

func (j *judge) recordTest(ctx context.Context, p testProgram, test string) (reach, error) {
	name := filepath.Join(j.folder, "reached")
	defer os.RemoveAll(name)
	start := time.Now()
	ended, output, err := process{program: p, tests: []string{test}, short: j.short, limit: j.testLimit, reached: name, overlay: j.build.overlay}.run(ctx)
	r := reach{Seconds: time.Since(start).Seconds(), Mutants: make([]byte, len(j.build.mutants)/8+1)}
	if err != nil {
		return r, err
	}
	if ended != passed {
		r.Failed = string(ended) + "\n" + output[max(0, len(output)-2000):]
	}
	content, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return r, err
	}
	for line := range strings.Lines(string(content)) {
		id, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return r, err
		}
		r.Mutants[id/8] |= 1 << (id % 8)
	}
	return r, nil
}
