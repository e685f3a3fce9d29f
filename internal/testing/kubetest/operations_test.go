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
				r.setImage("v1")
				r.waitFor("final")
			}},
			played{file: "2-disable-" + style, style: style, play: func(r *release) {
				r.setImage("v2")
				r.waitPaused(1)
				r.patchSpec(object{"disabled": true})
				r.waitFor("disabled")
				r.setImage("v3")
				r.waitFor("v3 while disabled")
				r.patchSpec(object{"disabled": false})
				r.waitFor("enabled again")
			}},
		)
	}
	for _, style := range []string{byPartition, byCanary} {
		all = append(all,
			played{file: "2-cont-" + style, style: style, play: func(r *release) {
				r.next()
				r.setImage("v3")
				r.eventually("again", func() string { return notAt(r, 1) })
				r.waitFor("3 s later")
			}},
			played{file: "3-broken-" + style, style: style, play: func(r *release) {
				r.setImage("broken")
				r.waitFor("20 s")
				r.setImage("v1")
				r.waitFor("after rollback")
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
		{file: "2-jp", style: byPartition, play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			r.tested("JSON patch approve with test idx=2 while at 1", 2)
			r.tested("JSON patch approve with test idx=1", 1)
			r.tested("again at once (state is StepReady/BeforeStepUpgrade)", 1)
			r.waitPaused(2)
			// Neither an approval without the subresource nor the next step as the next one
			// has an effect.
			approval := object{"status": object{"canaryStatus": object{"currentStepState": "StepReady"}}}
			if code, message := r.patch(rollouts, "alice", r.name, approval); code != 200 {
				r.Fatal(message)
			}
			if code, message := r.patchStatus("nextStepIndex", 3); code != 200 {
				r.Fatal(message)
			}
			r.staysAs("done", 45*time.Second)
			r.setImage("v1")
			r.waitFor("second release")
		}},
		{file: "2-top", style: byPartition, play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			r.patch(rollouts, "alice", r.name, object{"status": object{"currentStepState": "StepReady"}}, "status")
			r.waitFor("after top-level")
			r.setState("Foo")
			r.waitFor("12 s Foo")
			r.approve()
			r.eventually("paused at 2", func() string { return notAt(r, 2) })
		}},
		{file: "2-specmid", style: byPartition, play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			steps := usualSteps()
			r.checkDenied("add a step", object{"strategy": object{"canary": object{"steps": append(usualSteps(), step("100%", object{}))}}})
			r.checkDenied("remove a step", object{"strategy": object{"canary": object{"steps": steps[:2]}}})
			r.checkDenied("style -> extra workload", object{"strategy": object{"canary": object{"enableExtraWorkloadForCanary": true}}})
			r.checkDenied("style -> blueGreen", object{"strategy": object{"canary": nil, "blueGreen": object{"steps": steps}}})
			r.checkDenied("workloadRef name", object{"workloadRef": object{"name": "other"}})
			r.checkDenied("add trafficRoutings", object{"strategy": object{"canary": object{"trafficRoutings": []any{object{"service": "s", "ingress": object{"name": "i"}}}}}})
			r.checkDenied("failureThreshold (allowed?)", object{"strategy": object{"canary": object{"failureThreshold": "50%"}}})
			r.waitFor("after failureThreshold")
			steps = []any{step("50%", object{}), step("75%", object{}), step("100%", object{"duration": 2})}
			r.patchSpec(object{"strategy": object{"canary": object{"steps": steps}}})
			r.waitFor("after steps change")
			steps[0] = step("50%", object{"duration": 1})
			r.patchSpec(object{"strategy": object{"canary": object{"steps": steps}}})
			r.waitFor("after pause change")
		}},
		{file: "2-scale", style: byPartition, play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			r.change("add", "/spec/parties/0/template", object{"replicas": 8, "spec": object{}})
			r.waitFor("8 replicas")
			r.change("add", "/spec/parties/0/template/strategy", rolling("50%", 0))
			r.waitFor("strategy")
			r.change("replace", "/spec/inputConfig", `{"a":2}`)
			r.waitFor("config change")
		}},
		{file: "2-dur0", style: byPartition, steps: []any{step(1, object{"duration": 0}), step(2, object{})}, play: func(r *release) {
			r.setImage("v2")
			r.waitFor("p2")
			// A last step of 100% needs no approval.
			r.patchSpec(object{"strategy": object{"canary": object{"steps": []any{step(1, object{}), step("100%", object{})}}}})
			r.eventually("done without approval", func() string {
				if got := r.seen(); got["phase"] != "Healthy" || got["fin"] != "END" {
					return fmt.Sprint(got)
				}
				return ""
			})
		}},
		{file: "6-one", style: byPartition, party: object{"template": object{"replicas": 1, "spec": object{}}}, play: func(r *release) {
			r.setImage("v2")
			r.waitPaused(1)
			r.waitFor("1 replica, step 25%")
		}},
		{file: "3-before", style: byPartition, play: func(r *release) {
			other := r.rolloutObject(usualSteps()...)
			other["metadata"] = object{"name": "kr-before2"}
			_, message := r.create(rollouts, "alice", other)
			compared.Store("3-before.json: second rollout same workload", true)
			r.count.check("second rollout same workload", same(message, fmt.Sprintf(
				"admission webhook \"vrollout.kb.io\" denied the request: Conflict Checker: Invalid value: \"kr-before2\": This rollout conflict with Rollout(alice/%s), one workload only have less than one Rollout", r.name)))
			r.setImage("v2")
			r.waitPaused(1)
			r.delete(kusciaDeployments, "cross-domain", r.name)
			r.waitFor("KD gone")
			if release := r.get(batchReleases, "alice", r.name); release == nil {
				r.Error("the BatchRelease is gone with the workload")
			}
			r.createKusciaDeployment(nil)
			r.waitFor("KD again")
		}},
	}
}
