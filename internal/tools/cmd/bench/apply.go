//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// applies measures creates and destroys, alternating with the baseline, and
// leaves all resources created.
func (b *bench) applies(ctx context.Context, server *kusciaSandbox, own, baselineDir string, n int) error {
	rows := map[string][]measurement{}
	run := func(name string, requests api, dir string, args ...string) error {
		one, err := b.measure(ctx, requests, dir, append(args, "-json", "-auto-approve", applyParallelism)...)
		if err != nil {
			return err
		}
		if name == "apply" {
			if one.Delay, err = b.delay(ctx, server, one.output); err != nil {
				return err
			}
		}
		rows[name] = append(rows[name], one)
		return nil
	}
	for i := range b.runs {
		b.logf("Creating %d servings and as many terraform_data, %d of %d.", n, i+1, b.runs)
		if i > 0 {
			if err := run("destroy", server, own, "destroy"); err != nil {
				return err
			}
			if err := run("destroy, terraform_data", nil, baselineDir, "destroy"); err != nil {
				return err
			}
		}
		if err := run("apply", server, own, "apply"); err != nil {
			return err
		}
		if err := run("apply, terraform_data", nil, baselineDir, "apply"); err != nil {
			return err
		}
	}
	b.logf("Destroying and creating them a last time.")
	if err := run("destroy", server, own, "destroy"); err != nil {
		return err
	}
	if err := run("destroy, terraform_data", nil, baselineDir, "destroy"); err != nil {
		return err
	}
	for _, name := range []string{"apply", "apply, terraform_data", "destroy", "destroy, terraform_data"} {
		b.add(name, rows[name], n)
	}
	return b.create(ctx, n, own, baselineDir)
}

// delay returns the median time between the start of the serving, which is
// podStart after the request that created it, and the CLI's report that it is
// complete.
func (b *bench) delay(ctx context.Context, server *kusciaSandbox, output []byte) (time.Duration, error) {
	created, err := server.created(ctx)
	if err != nil {
		return 0, err
	}
	completed, err := completions(output)
	if err != nil {
		return 0, err
	}
	var delays []time.Duration
	for id, at := range completed {
		if began, ok := created[id]; ok {
			delays = append(delays, at.Sub(began.Add(podStart)))
		}
	}
	if len(delays) < b.servings {
		return 0, fmt.Errorf("the times of %d of %d creates are known", len(delays), b.servings)
	}
	return median(delays, cmp.Compare), nil
}

// completions returns the completion time of each serving from the output of
// "apply -json".
func completions(output []byte) (map[string]time.Time, error) {
	completed := map[string]time.Time{}
	for line := range bytes.Lines(output) {
		var message struct {
			Type string    `json:"type"`
			At   time.Time `json:"@timestamp"`
			Hook struct {
				Resource struct {
					Type string `json:"resource_type"`
					Name string `json:"resource_name"`
					Key  any    `json:"resource_key"`
				} `json:"resource"`
			} `json:"hook"`
		}
		if err := json.Unmarshal(line, &message); err != nil {
			return nil, fmt.Errorf("what the CLI printed: %w", err)
		}
		of := message.Hook.Resource
		key, isNumber := of.Key.(float64)
		if message.Type != "apply_complete" || of.Type != "kuscia_serving" || !isNumber {
			continue
		}
		if id, ok := servingID(of.Name, int(key)); ok {
			completed[id] = message.At
		}
	}
	return completed, nil
}
