package party

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// PodResources are the resources of containers, by the name of the container, in the one form
// that all spellings of a quantity have.
type PodResources map[string]PodAmounts

// PodAmounts are the requests for CPU and memory of one container, and its limits for these, in
// thousandths, to which Kubernetes rounds up. A request that is not set stays so in the template of
// the pods, and is another one than a request that equals the limit.
type PodAmounts [4]int64

// unsetAmount is the amount that is not set, which is not the same as 0.
const unsetAmount = -1

// NoAmounts sets nothing.
var NoAmounts = PodAmounts{unsetAmount, unsetAmount, unsetAmount, unsetAmount}

// PodAmountsOf converts quantities; "" is not set.
func PodAmountsOf(requestedCPU, requestedMemory, maxCPU, maxMemory string) PodAmounts {
	amounts := NoAmounts
	for i, text := range []string{requestedCPU, requestedMemory, maxCPU, maxMemory} {
		if amount, err := tfvalue.ParseQuantity(text); text != "" && err == nil {
			amounts[i] = amount.MilliValue()
		}
	}
	return amounts
}

// Quantities converts the amounts back; what is not set is "".
func (a PodAmounts) Quantities() (requestedCPU, requestedMemory, maxCPU, maxMemory string) {
	var texts [len(a)]string
	for i, amount := range a {
		if amount != unsetAmount {
			texts[i] = resource.NewMilliQuantity(amount, resource.DecimalSI).String()
		}
	}
	return texts[0], texts[1], texts[2], texts[3]
}

// Over returns the values that a container gets from a party and its app image, whose requests
// and limits a party replaces each as a block.
func (a PodAmounts) Over(image PodAmounts) PodAmounts {
	for _, block := range [][2]int{{0, 1}, {2, 3}} {
		if a[block[0]] == unsetAmount && a[block[1]] == unsetAmount {
			a[block[0]], a[block[1]] = image[block[0]], image[block[1]]
		}
	}
	return a
}

// OwnResources returns the resources of the containers of an app image for a role; nil if it has
// no template for that.
func OwnResources(image *kuscia.AppImage, role string) PodResources {
	template := TemplateFor(image, role)
	if template == nil {
		return nil
	}
	own := make(PodResources, len(template.Containers))
	for i := range template.Containers {
		var requests, limits kuscia.ResourceSpec
		if of := template.Containers[i].Resources; of != nil && of.Requests != nil {
			requests = *of.Requests
		}
		if of := template.Containers[i].Resources; of != nil && of.Limits != nil {
			limits = *of.Limits
		}
		own[template.Containers[i].Name] = PodAmountsOf(requests.CPU, requests.Memory, limits.CPU, limits.Memory)
	}
	return own
}

// String is the same for the same resources; "" for nil.
func (r PodResources) String() string {
	if r == nil {
		return ""
	}
	return fmt.Sprint(map[string]PodAmounts(r))
}

// Changes reports whether an update gives any container of pods with these resources others. It
// adds no container to them.
func (r PodResources) Changes(after PodResources) bool {
	for name, amounts := range after {
		if before, live := r[name]; live && before != amounts {
			return true
		}
	}
	return false
}

// Updated returns the resources after an update.
func (r PodResources) Updated(after PodResources) PodResources {
	if r == nil {
		return after
	}
	now := make(PodResources, len(r))
	for name, amounts := range r {
		now[name] = amounts
		if updated, ok := after[name]; ok {
			now[name] = updated
		}
	}
	return now
}
