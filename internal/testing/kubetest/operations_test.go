package kubetest_test

import (
	"context"
	"fmt"
	"time"
)

// cleanupTime is the time limit for the deletion of the objects of a test.
const cleanupTime = 10 * time.Second

func contextFor(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}

// operations are the operations on releases in the recordings.
func operations() []played {
	var all []played
	for _, style := range []string{byPartition, byCanary, byBlueGreen} {
		all = append(all,
			played{file: "2-rollback-" + style, style: style, play: func(r *release) {
				r.next()
				r.image("v1")
				r.at("final")
			}},
			played{file: "2-disable-" + style, style: style, play: func(r *release) {
				r.image("v2")
				r.paused(1)
				r.spec(object{"disabled": true})
				r.at("disabled")
				r.image("v3")
				r.at("v3 while disabled")
				r.spec(object{"disabled": false})
				r.at("enabled again")
			}},
			played{file: "2-delmid-" + style, style: style, play: func(r *release) {
				r.image("v2")
				r.paused(1)
				r.delete(rollouts, "alice", r.name)
				r.at("final")
			}},
		)
	}
	for _, style := range []string{byPartition, byCanary} {
		all = append(all,
			played{file: "2-cont-" + style, style: style, play: func(r *release) {
				r.next()
				r.image("v3")
				r.eventually("again", func() string { return notAt(r, 1) })
				r.at("3 s later")
			}},
			played{file: "3-broken-" + style, style: style, play: func(r *release) {
				r.image("broken")
				r.at("20 s")
				r.image("v1")
				r.at("after rollback")
			}},
		)
	}
	return append(append(all, more()...), furtherOperations()...)
}

func notAt(r *release, index int) string {
	if got := r.seen(); got["idx"] != int64(index) || got["state"] != "StepPaused" {
		return fmt.Sprint(got)
	}
	return ""
}

func more() []played {
	return []played{
		{file: "2-pause", style: byPartition, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.spec(object{"strategy": object{"paused": true}})
			r.at("paused")
			r.approve()
			r.at("after approve while paused")
			r.spec(object{"strategy": object{"paused": nil}})
			r.eventually("paused at 2", func() string { return notAt(r, 2) })
		}},
		{file: "2-jump", style: byPartition, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			if code, message := r.status("nextStepIndex", 3); code != 200 {
				r.Fatal(message)
			}
			r.eventually("at 3", func() string {
				if got := r.seen(); got["idx"] != int64(3) {
					return fmt.Sprint(got)
				}
				return ""
			})
		}},
		{file: "2-jp", style: byPartition, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.tested("JSON patch approve with test idx=2 while at 1", 2)
			r.tested("JSON patch approve with test idx=1", 1)
			r.tested("again at once (state is StepReady/BeforeStepUpgrade)", 1)
		}},
		{file: "2-top", style: byPartition, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.patch(rollouts, "alice", r.name, object{"status": object{"currentStepState": "StepReady"}}, "status")
			r.at("after top-level")
			if code, message := r.status("currentStepState", "Foo"); code != 200 {
				r.Fatal(message)
			}
			r.at("12 s Foo")
			r.approve()
			r.eventually("paused at 2", func() string { return notAt(r, 2) })
		}},
		{file: "2-specmid", style: byPartition, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			steps := usualSteps()
			r.denied("add a step", object{"strategy": object{"canary": object{"steps": append(usualSteps(), step("100%", object{}))}}})
			r.denied("remove a step", object{"strategy": object{"canary": object{"steps": steps[:2]}}})
			r.denied("style -> extra workload", object{"strategy": object{"canary": object{"enableExtraWorkloadForCanary": true}}})
			r.denied("style -> blueGreen", object{"strategy": object{"canary": nil, "blueGreen": object{"steps": steps}}})
			r.denied("workloadRef name", object{"workloadRef": object{"name": "other"}})
			r.denied("add trafficRoutings", object{"strategy": object{"canary": object{"trafficRoutings": []any{object{"service": "s", "ingress": object{"name": "i"}}}}}})
			r.denied("failureThreshold (allowed?)", object{"strategy": object{"canary": object{"failureThreshold": "50%"}}})
			r.at("after failureThreshold")
			steps = []any{step("50%", object{}), step("75%", object{}), step("100%", object{"duration": 2})}
			r.spec(object{"strategy": object{"canary": object{"steps": steps}}})
			r.at("after steps change")
			steps[0] = step("50%", object{"duration": 1})
			r.spec(object{"strategy": object{"canary": object{"steps": steps}}})
			r.at("after pause change")
		}},
		{file: "2-scale", style: byPartition, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.change("add", "/spec/parties/0/template", object{"replicas": 8, "spec": object{}})
			r.at("8 replicas")
			r.change("add", "/spec/parties/0/template/strategy", rolling("50%", 0))
			r.at("strategy")
			r.change("replace", "/spec/inputConfig", `{"a":2}`)
			r.at("config change")
		}},
		{file: "2-last", style: byPartition, steps: []any{step("25%", object{}), step("50%", object{})}, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.approve()
			r.paused(2)
			r.at("last step paused")
			if code, message := r.status("nextStepIndex", 99); code != 200 {
				r.Fatal(message)
			}
			r.approve()
			r.eventually("done", func() string {
				if got := r.seen(); got["phase"] != "Healthy" || got["next"] != int64(99) {
					return fmt.Sprint(got)
				}
				return ""
			})
			r.at("done")
		}},
		{file: "2-dur0", style: byPartition, steps: []any{step("25%", object{"duration": 0}), step("100%", object{})}, play: func(r *release) {
			r.image("v2")
			r.eventually("done without approval", func() string {
				if got := r.seen(); got["phase"] != "Healthy" || got["fin"] != "END" {
					return fmt.Sprint(got)
				}
				return ""
			})
		}},
		{file: "6-one", style: byPartition, party: object{"template": object{"replicas": 1, "spec": object{}}}, play: func(r *release) {
			r.image("v2")
			r.paused(1)
			r.at("1 replica, step 25%")
		}},
		{file: "3-before", style: byPartition, play: func(r *release) {
			other := r.rolloutObject(usualSteps()...)
			other["metadata"] = object{"name": "kr-before2"}
			_, message := r.create(rollouts, "alice", other)
			compared.Store("3-before.json: second rollout same workload", true)
			r.count.check("second rollout same workload", same(message, fmt.Sprintf(
				"admission webhook \"vrollout.kb.io\" denied the request: Conflict Checker: Invalid value: \"kr-before2\": This rollout conflict with Rollout(alice/%s), one workload only have less than one Rollout", r.name)))
			r.image("v2")
			r.paused(1)
			r.delete(kusciaDeployments, "cross-domain", r.name)
			r.at("KD gone")
			if release := r.get(batchReleases, "alice", r.name); release == nil {
				r.Error("the BatchRelease is gone with the workload")
			}
			r.deployment(nil)
			r.at("KD again")
		}},
	}
}
