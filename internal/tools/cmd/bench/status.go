//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// status measures the data source for many servings, alternating with the same
// requests sent without the provider.
func (b *bench) status(ctx context.Context, box *kusciaSandbox, _ string, n int) error {
	b.logf("Asking for the status of %d servings, %d times.", n, b.runs)
	many, err := writeFolder(b.ws.Dir, "statuses", statuses(n))
	if err != nil {
		return err
	}
	var manyRuns []measurement
	var responses, direct []time.Duration
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
		if took, err = b.responseTime(ctx, many, "ReadDataSource"); err != nil {
			return err
		}
		responses = append(responses, took)
	}
	b.add("status data source, whole plan", manyRuns, n)
	b.report.Rows = append(b.report.Rows,
		measurement{Name: "status data source, the provider's response", Runs: b.runs, Wall: median(responses, cmp.Compare)},
		measurement{Name: "the same requests without provider", Runs: b.runs, Wall: median(direct, cmp.Compare)})
	return nil
}

var (
	requestName = regexp.MustCompile(`\btf_rpc=(\w+)`)
	requestTime = regexp.MustCompile(`\btf_req_duration_ms=(\d+)`)
)

// responseTime returns the time between a request to the provider in a plan and
// its response, as logged by its protocol library in whole milliseconds. With
// few servings the result is not meaningful.
func (b *bench) responseTime(ctx context.Context, dir, request string) (time.Duration, error) {
	log := b.path("protocol.log")
	if err := os.Remove(log); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	cmd := b.ws.Command(ctx, dir, "plan", "-no-color")
	cmd.Env = append(slices.Clone(cmd.Env), "TF_LOG_PROVIDER=TRACE", "TF_LOG_PATH="+log,
		"TF_LOG_SDK_FRAMEWORK=OFF", "TF_LOG_PROVIDER_KUSCIA=OFF")
	if out, err := workspace.RunQuietly(cmd); err != nil {
		return 0, fmt.Errorf("plan with logs: %w\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	return loggedTime(text, request)
}

// loggedTime finds the response time of a request in a log.
func loggedTime(log []byte, request string) (time.Duration, error) {
	for line := range bytes.Lines(log) {
		name, took := requestName.FindSubmatch(line), requestTime.FindSubmatch(line)
		if name != nil && took != nil && string(name[1]) == request {
			return time.ParseDuration(string(took[1]) + "ms")
		}
	}
	return 0, fmt.Errorf("no %s in the log of the provider", request)
}

// statuses sends the requests of the data source without the provider, n IDs in
// the given number of calls, and returns their duration.
func (s *kusciaSandbox) statuses(ctx context.Context, n, calls int) (time.Duration, error) {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("s-%d", i)
	}
	started := time.Now()
	for chunk := range slices.Chunk(ids, (n+calls-1)/max(calls, 1)) {
		var response struct {
			Status struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"status"`
		}
		if err := s.post(ctx, "/api/v1/serving/status/batchQuery", map[string]any{"serving_ids": chunk}, &response); err != nil {
			return 0, err
		}
		if response.Status.Code != 0 {
			return 0, fmt.Errorf("code %d: %s", response.Status.Code, response.Status.Message)
		}
	}
	return time.Since(started), nil
}
