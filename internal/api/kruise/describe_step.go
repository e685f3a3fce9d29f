package kruise

import "fmt"

// DescribeStep says what a step, from 0, does to pods and what the release waits for after it. The
// last one of a canary does not wait if it has all pods.
func (s Strategy) DescribeStep(i int) string {
	steps := s.Steps()
	step, verb := steps[i], "replaces"
	if s.Canary == nil || s.Canary.EnableExtraWorkloadForCanary {
		verb = "adds"
	}
	var replicas IntOrPercent
	if step.Replicas != nil {
		replicas = *step.Replicas
	}
	percent, _ := replicas.Percent()
	text := fmt.Sprintf("%s %s of the pods", verb, replicas)
	switch seconds, manual := step.Pause.Seconds(); {
	case s.Canary != nil && i == len(steps)-1 && percent == 100:
	case manual:
		text += ", then waits for an approval"
	case seconds > 0:
		text += fmt.Sprintf(", then waits %d s", seconds)
	}
	return text
}
