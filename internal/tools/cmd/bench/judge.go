//go:build unix

package main

import (
	"fmt"
	"time"
)

// defaultParallelism is how many resources the CLI reads at a time.
const defaultParallelism = 10

// The limits that the figures have to keep.
const (
	planLimit      = 0.8                  // of terraform_data
	cpuLimit       = 3 * time.Millisecond // of provider CPU a serving
	memoryLimit    = 80                   // MiB
	latencyLimit   = 1.1
	growthLimit    = 1.1 // of the number of servings
	applyLimit     = 1.2
	statusRequests = 10
)

// judge compares what was measured with the goals.
func (b *bench) judge() {
	r := &b.report
	plan, measured := r.row("plan")
	if floor, ok := r.row("plan, terraform_data"); ok && measured {
		r.atMost("plan beside terraform_data", plan.Wall.Seconds()/floor.Wall.Seconds(), planLimit, "x")
		r.atMost("provider CPU a serving", plan.PerItem.Seconds()*1000, cpuLimit.Seconds()*1000, "ms")
		r.atMost("provider memory", float64(plan.Memory)/(1<<20), memoryLimit, "MiB")
		r.exactly("queries of a plan", plan.Requests["serving/query"], b.servings)
		r.atMost("other requests of a plan", float64(plan.Requests.total()-plan.Requests["serving/query"]), 1, "calls")
	}
	for _, by := range latencies {
		slow, ok := r.row("plan, answers in " + by.String())
		if !ok || !measured {
			continue
		}
		unavoidable := max(plan.Wall, time.Duration(b.servings)*by/defaultParallelism)
		r.atMost(fmt.Sprintf("plan with answers in %s beside max(plan, servings x answer time / %d)", by, defaultParallelism),
			slow.Wall.Seconds()/unavoidable.Seconds(), latencyLimit, "x")
	}
	if large, ok := r.row("large plan"); ok && measured {
		limit := growthLimit * float64(b.large)
		r.atMost(fmt.Sprintf("time of %d times as many servings", b.large), large.Wall.Seconds()/plan.Wall.Seconds(), limit, "x")
		r.atMost(fmt.Sprintf("memory of %d times as many servings", b.large), float64(large.Memory)/float64(plan.Memory), limit, "x")
	}
	if status, ok := r.row("status data source"); ok {
		r.atMost("requests of the status data source", float64(status.Requests.total()), statusRequests, "calls")
	}
	b.judgeApply()
}

// judgeApply compares apply with terraform_data plus the waits that nobody can
// avoid: rollouts run applyParallelism at a time, each for podStart.
func (b *bench) judgeApply() {
	r := &b.report
	own, measured := r.row("apply")
	floor, ok := r.row("apply, terraform_data")
	if !b.wants("apply") || !measured || !ok {
		return
	}
	const atATime = 50
	rounds := (b.servings + atATime - 1) / atATime
	waits := time.Duration(rounds) * podStart
	r.atMost(fmt.Sprintf("apply beside terraform_data and %d rounds of %s", rounds, podStart), own.Wall.Seconds()/(floor.Wall+waits).Seconds(), applyLimit, "x")
}
