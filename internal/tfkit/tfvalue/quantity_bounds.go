package tfvalue

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// The resources that a quantity can describe.
const (
	CPU    = "cpu"
	Memory = "memory"
)

var (
	// More than any node has: a pod that requests it cannot be scheduled.
	mostCPU    = resource.MustParse("100k")
	mostMemory = resource.MustParse("1Pi")
	// Less than any process needs.
	leastMemory = resource.MustParse("1Mi")
)

// QuantityOutOfRange reports an implausible amount of CPU or Memory; problem is
// "" if there is none. impossible distinguishes an amount that no node has from
// one that is legal but surely a mistake. Texts that are no quantities and
// amounts of zero or less are not reported here.
func QuantityOutOfRange(of, text string) (problem string, impossible bool) {
	amount, err := ParseQuantity(text)
	if err != nil || amount.Sign() <= 0 {
		return "", false
	}
	switch {
	case of == CPU && amount.Cmp(mostCPU) > 0:
		return fmt.Sprintf("%q is %.4g CPUs, more than any node has, so no pod could be scheduled. CPU is counted in cores, for example \"500m\" or \"2\"; units such as Mi are for memory.", text, amount.AsApproximateFloat64()), true
	case of == Memory && amount.Cmp(mostMemory) > 0:
		return fmt.Sprintf("%q is %.4g bytes of memory, more than any node has, so no pod could be scheduled. Write for example \"512Mi\" or \"2Gi\".", text, amount.AsApproximateFloat64()), true
	case of == Memory && amount.Cmp(leastMemory) < 0:
		return fmt.Sprintf("%q is %.4g bytes of memory, less than any process needs. Memory is counted in bytes, and \"m\" stands for thousandths of them: write for example \"512Mi\" or \"2Gi\".", text, amount.AsApproximateFloat64()), false
	default:
		return "", false
	}
}
