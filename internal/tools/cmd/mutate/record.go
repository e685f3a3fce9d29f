//go:build unix

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// results is a file of results, written with each of them, so that an interrupted run goes
// on with those that it has.
type results[V any] struct {
	name  string
	mutex sync.Mutex
	known map[string]V
}

func openResults[V any](name string) (*results[V], error) {
	r := &results[V]{name: name, known: map[string]V{}}
	content, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return r, os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err != nil {
		return nil, err
	}
	return r, json.Unmarshal(content, &r.known)
}

func (r *results[V]) get(key string) (V, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	value, ok := r.known[key]
	return value, ok
}

func (r *results[V]) add(key string, value V) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
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
	// Subtests are those of a test that takes long.
	Subtests []string `json:",omitempty"`
}

func (r reach) reaches(id int) bool {
	return r.Failed == "" && id/8 < len(r.Mutants) && r.Mutants[id/8]&(1<<(id%8)) != 0
}

// record runs each test alone, and the subtests of those that take long.
func (j *judge) record(ctx context.Context) error {
	for _, p := range j.programs {
		known, err := openResults[reach](filepath.Join(j.cache, "reach", p.hash+j.mode()+".json"))
		if err != nil {
			return err
		}
		j.logf("Recording %d tests of %s, %d results are known.", len(p.tests), p.pkg, len(known.known))
		if err := j.recordTests(ctx, p, p.tests, known); err != nil {
			return err
		}
		for _, test := range p.tests {
			if err := j.recordTests(ctx, p, known.known[test].Subtests, known); err != nil {
				return err
			}
		}
		for test, r := range known.known {
			if r.Failed != "" {
				j.logf("%s of %s fails without a mutant, and judges none:\n%s", printable(test), p.pkg, r.Failed)
			}
		}
		j.reach[p.pkg] = known.known
	}
	return nil
}

func (j *judge) recordTests(ctx context.Context, p testProgram, tests []string, known *results[reach]) error {
	return j.beside(ctx, len(tests), func(ctx context.Context, i int) error {
		if _, ok := known.get(tests[i]); ok {
			return nil
		}
		reached, err := j.recordTest(ctx, p, tests[i])
		if err != nil {
			return err
		}
		return known.add(tests[i], reached)
	})
}

func (j *judge) recordTest(ctx context.Context, p testProgram, test string) (reach, error) {
	file, err := os.CreateTemp(j.folder, "reached")
	if err != nil {
		return reach{}, err
	}
	defer os.RemoveAll(file.Name())
	if err := file.Close(); err != nil {
		return reach{}, err
	}
	start := time.Now()
	ended, output, err := process{program: p, tests: []string{test}, short: j.short, limit: j.testLimit, reached: file.Name(), overlay: j.build.overlay}.run(ctx)
	r := reach{Seconds: time.Since(start).Seconds(), Mutants: make([]byte, len(j.build.mutants)/8+1)}
	if err != nil {
		return r, err
	}
	if ended != passed {
		r.Failed = string(ended) + "\n" + output[max(0, len(output)-2000):]
	} else if r.Seconds > j.split.Seconds() && !strings.Contains(test, subtestSeparator) {
		r.Subtests = subtests(test, output)
	}
	content, err := os.ReadFile(file.Name())
	if err != nil {
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
