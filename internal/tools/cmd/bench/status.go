//go:build unix

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// status measures the data source for many servings at once, in turns with the
// same for one serving and with the same requests sent without the provider.
func (b *bench) status(ctx context.Context, box *sandbox, _ string, n int) error {
	b.say("Asking for the status of %d servings, %d times.", n, b.runs)
	many, err := writeFolder(b.ws.Dir, "statuses", statuses(n))
	if err != nil {
		return err
	}
	single, err := writeFolder(b.ws.Dir, "status", statuses(1))
	if err != nil {
		return err
	}
	var manyRuns, singleRuns []row
	var direct []time.Duration
	for range b.runs {
		one, err := b.measure(ctx, box, many, "plan")
		if err != nil {
			return err
		}
		manyRuns = append(manyRuns, one)
		took, err := box.statuses(ctx, n, one.Requests.total())
		if err != nil {
			return err
		}
		direct = append(direct, took)
		if one, err = b.measure(ctx, box, single, "plan"); err != nil {
			return err
		}
		singleRuns = append(singleRuns, one)
	}
	b.add("status data source", manyRuns, n)
	b.add("status data source, one serving", singleRuns, 1)
	b.report.Rows = append(b.report.Rows, row{Name: "the same requests without provider", Runs: b.runs, Wall: median(direct, cmp.Compare)})
	return nil
}

// statuses sends the requests of the data source itself, n ids in so many
// calls, and says how long they took.
func (s *sandbox) statuses(ctx context.Context, n, calls int) (time.Duration, error) {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("s-%d", i)
	}
	started := time.Now()
	for chunk := range slices.Chunk(ids, (n+calls-1)/max(calls, 1)) {
		var answer struct {
			Status struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"status"`
		}
		if err := s.post(ctx, "/api/v1/serving/status/batchQuery", map[string]any{"serving_ids": chunk}, &answer); err != nil {
			return 0, err
		}
		if answer.Status.Code != 0 {
			return 0, fmt.Errorf("code %d: %s", answer.Status.Code, answer.Status.Message)
		}
	}
	return time.Since(started), nil
}
