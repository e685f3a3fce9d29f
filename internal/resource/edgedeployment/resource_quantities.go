package edgedeployment

import (
	"math/big"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// resourceQuantity is a quantity that IEF supports: its attribute, its key in
// the API and the meaning of its numbers.
type resourceQuantity struct {
	attribute, key string
	// mebibytes is set if the API's unit is MiB.
	mebibytes bool
	// whole is set if only whole numbers are valid.
	whole bool
	// minimum and maximum are the limits in the API's unit.
	minimum, maximum string
	// v3Only is set if v2 does not support it.
	v3Only bool
}

var resourceQuantities = []resourceQuantity{
	{attribute: "cpu", key: "cpu", minimum: "0.01", maximum: "1000"},
	{attribute: "memory", key: "memory", mebibytes: true, minimum: "0.01", maximum: "1024000"},
	{attribute: "gpu", key: "gpu", mebibytes: true, minimum: "0.01", maximum: "1024000"},
	{attribute: "npu", key: "npu", whole: true, minimum: "1", maximum: "1000"},
	{attribute: "d310", key: "D310", whole: true, minimum: "1", maximum: "1000", v3Only: true},
	{attribute: "d310b", key: "D310B", whole: true, minimum: "1", maximum: "1000", v3Only: true},
}

// minMemoryLimit is the smallest memory limit, in MiB.
const minMemoryLimit = "4"

var mebibyte = big.NewRat(1<<20, 1)

// number converts a quantity to the API's unit; false if the text is not a
// quantity.
func (q resourceQuantity) number(text string) (*big.Rat, bool) {
	quantity, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return nil, false
	}
	n, ok := new(big.Rat).SetString(quantity.AsDec().String())
	if !ok {
		return nil, false
	}
	if q.mebibytes {
		n.Quo(n, mebibyte)
	}
	return n, true
}

// toWire formats a quantity as a plain number in the API's unit. Text that is
// not a quantity is unchanged; check.go rejects it.
func (q resourceQuantity) toWire(text string) string {
	n, ok := q.number(text)
	if !ok {
		return text
	}
	return decimal(n)
}

// fromWire formats a number of the API as a quantity. Text that is not a number
// is unchanged, so that it is visible.
func (q resourceQuantity) fromWire(text string) string {
	n, ok := rational(text)
	if !ok {
		return text
	}
	if !q.mebibytes {
		return decimal(n)
	}
	// Use the most common spelling, since there is none to keep after an
	// import.
	if gibibytes := new(big.Rat).Quo(n, big.NewRat(1<<10, 1)); gibibytes.IsInt() && n.Sign() > 0 {
		return decimal(gibibytes) + "Gi"
	}
	return decimal(n) + "Mi"
}

// maxNumber is the maximum length of text that is parsed as a number, since
// short text can denote a very long number.
const maxNumber = 48

func rational(text string) (*big.Rat, bool) {
	if len(text) > maxNumber || strings.ContainsAny(text, "eE/xX_pP") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// digits is the maximum number of decimal places in the API: 20 for one byte in
// MiB, and 9 for the smallest fraction of a quantity.
const digits = 29

func decimal(n *big.Rat) string {
	text := n.FloatString(digits)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// outOf reports whether a number is outside of its limits.
func (q resourceQuantity) outOf(n *big.Rat, minimum string) bool {
	low, _ := new(big.Rat).SetString(minimum)
	high, _ := new(big.Rat).SetString(q.maximum)
	return n.Cmp(low) < 0 || n.Cmp(high) > 0 || q.whole && !n.IsInt()
}
