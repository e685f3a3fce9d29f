//go:build unix

package main

import (
	"context"
	"fmt"
)

// subject is one of the configurations that are planned alternately.
type subject struct {
	// name is the name of the row.
	name, text string
	// requests is the API of the provider; nil for none.
	requests api

	dir            string
	runs, idleRuns []measurement
}

// compare applies configurations of n resources each, and then plans them
// alternately without changes, so that other load on the machine affects all.
func (b *bench) compare(ctx context.Context, n int, subjects ...subject) (err error) {
	b.ws.Setenv("TF_CLI_CONFIG_FILE", b.path("probed.tfrc"))
	for i := range subjects {
		s := &subjects[i]
		if s.dir, err = writeFolder(b.ws.Dir, s.name, s.text); err != nil {
			return err
		}
		if s.requests == nil {
			if _, err := b.ws.Output(ctx, s.dir, "init", "-no-color"); err != nil {
				return err
			}
		}
		b.logf("Creating %d for %q.", n, s.name)
		if _, err := b.ws.Output(ctx, s.dir, "apply", "-no-color", "-auto-approve", applyParallelism); err != nil {
			return err
		}
	}
	for range b.runs {
		for i := range subjects {
			s := &subjects[i]
			one, err := b.measure(ctx, s.requests, s.dir, "plan", "-detailed-exitcode")
			if err != nil {
				return fmt.Errorf("%s: the plan is not empty: %w", s.name, err)
			}
			s.runs = append(s.runs, one)
			if s.requests == nil {
				continue
			}
			if one, err = b.withIdleProvider(ctx, s.requests, s.dir); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.idleRuns = append(s.idleRuns, one)
		}
	}
	for _, s := range subjects {
		b.add(s.name, s.runs, n)
		if len(s.idleRuns) > 0 {
			b.add(s.name+idleProvider, s.idleRuns, n)
		}
	}
	return nil
}
