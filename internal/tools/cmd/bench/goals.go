//go:build unix

package main

import (
	"fmt"
	"strings"
	"time"
)

// Limits of the measured values.
const (
	planLimit = 0.9                  // relative to terraform_data
	cpuLimit  = 3 * time.Millisecond // CPU time of the provider per serving
	// objectCPULimit is the CPU time of the provider per object without a
	// rollout.
	objectCPULimit = 1500 * time.Microsecond
	memoryLimit    = 80   // MiB
	startLimit     = 1.3  // relative to a provider with one resource, without client-go
	idleLimit      = 1.05 // relative to a provider that does nothing in its reads
	applyLimit     = 1.2
	delayLimit     = 500 * time.Millisecond
	// tick is the shortest poll interval of the shared poller during rollouts:
	// 150 ms to confirm one, minus a tenth.
	tick = 135 * time.Millisecond
	// goneLook is the delay of the poll that detects the deletion of a serving.
	goneLook = 50 * time.Millisecond
)

// checkGoals compares the results with the goals.
func (b *bench) checkGoals() {
	r := &b.report
	plan, measured := r.row("plan")
	if floor, ok := r.row("plan, terraform_data"); ok && measured {
		r.atMost("plan beside terraform_data", plan.Wall.Seconds()/floor.Wall.Seconds(), planLimit, "x")
		r.atMost("provider CPU a serving", plan.PerItem.Seconds()*1000, cpuLimit.Seconds()*1000, "ms")
		r.atMost("provider memory", float64(plan.Memory)/(1<<20), memoryLimit, "MiB")
		r.exactly("queries of a plan", plan.Requests["serving/query"], b.servings)
		r.atMost("other requests of a plan", float64(plan.Requests.total()-plan.Requests["serving/query"]), 1, "calls")
	}
	for _, idle := range r.rows {
		name, isIdle := strings.CutSuffix(idle.Name, idleProvider)
		if own, ok := r.row(name); ok && isIdle {
			r.atMost(name+" beside an idle provider", own.Wall.Seconds()/idle.Wall.Seconds(), idleLimit, "x")
		}
	}
	b.checkObjectGoals()
	b.checkApplyGoals()
}

// checkApplyGoals compares apply and destroy with terraform_data plus the
// unavoidable waits. Rollouts run atATime, each for podStart; a deleted serving
// no longer exists after goneLook.
func (b *bench) checkApplyGoals() {
	r := &b.report
	const atATime = 50
	rounds := (b.servings + atATime - 1) / atATime
	for _, name := range []string{"apply", "destroy"} {
		wait := map[string]time.Duration{"apply": podStart, "destroy": goneLook}[name]
		own, measured := r.row(name)
		floor, ok := r.row(name + ", terraform_data")
		if !measured || !ok {
			continue
		}
		unavoidable := floor.Wall + time.Duration(rounds)*wait
		r.atMost(fmt.Sprintf("%s beside terraform_data and %d rounds of %s", name, rounds, wait), own.Wall.Seconds()/unavoidable.Seconds(), applyLimit, "x")
		calls := float64(own.Requests["serving/status/batchQuery"])
		switch name {
		case "apply":
			r.atMost(fmt.Sprintf("status calls of apply in each %s", tick), calls*tick.Seconds()/own.Wall.Seconds(), 1, "calls")
			r.atMost("median delay from running to going on", own.Delay.Seconds(), delayLimit.Seconds(), "s")
		case "destroy":
			r.atMost(fmt.Sprintf("status calls of destroy in each %s", goneLook), calls*goneLook.Seconds()/own.Wall.Seconds(), 1, "calls")
		}
	}
}
