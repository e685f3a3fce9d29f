package edgedeployment

import (
	"math/big"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// amount is one of the amounts that IEF knows: its attribute, its name on the
// wire and how its numbers are meant.
type amount struct {
	attribute, key string
	// mebibytes says that the number on the wire counts MiB.
	mebibytes bool
	// whole says that only whole numbers mean something.
	whole bool
	// least and most are the limits, in the unit of the wire.
	least, most string
	// v3Only says that v2 does not have it.
	v3Only bool
}

var amounts = []amount{
	{attribute: "cpu", key: "cpu", least: "0.01", most: "1000"},
	{attribute: "memory", key: "memory", mebibytes: true, least: "0.01", most: "1024000"},
	{attribute: "gpu", key: "gpu", mebibytes: true, least: "0.01", most: "1024000"},
	{attribute: "npu", key: "npu", whole: true, least: "1", most: "1000"},
	{attribute: "d310", key: "D310", whole: true, least: "1", most: "1000", v3Only: true},
	{attribute: "d310b", key: "D310B", whole: true, least: "1", most: "1000", v3Only: true},
}

// leastMemoryLimit is the smallest limit of memory, in MiB.
const leastMemoryLimit = "4"

var mebibyte = big.NewRat(1<<20, 1)

// number is a quantity in the unit of the wire; false for text that is none.
func (a amount) number(text string) (*big.Rat, bool) {
	quantity, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return nil, false
	}
	n, ok := new(big.Rat).SetString(quantity.AsDec().String())
	if !ok {
		return nil, false
	}
	if a.mebibytes {
		n.Quo(n, mebibyte)
	}
	return n, true
}

// toWire is a quantity as a plain number in the unit of the wire. Text that is
// no quantity stays; check.go refuses it.
func (a amount) toWire(text string) string {
	n, ok := a.number(text)
	if !ok {
		return text
	}
	return decimal(n)
}

// fromWire is a number of the wire as a quantity. Text that is no number stays
// as it is, so that it shows.
func (a amount) fromWire(text string) string {
	n, ok := rational(text)
	if !ok {
		return text
	}
	if !a.mebibytes {
		return decimal(n)
	}
	// As most people write it, since an import knows no spelling.
	if gibibytes := new(big.Rat).Quo(n, big.NewRat(1<<10, 1)); gibibytes.IsInt() && n.Sign() > 0 {
		return decimal(gibibytes) + "Gi"
	}
	return decimal(n) + "Mi"
}

// maxNumber bounds what is read as a number: a short text can stand for a very
// long one.
const maxNumber = 48

func rational(text string) (*big.Rat, bool) {
	if len(text) > maxNumber || strings.ContainsAny(text, "eE/xX_pP") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// digits is how many places a number on the wire may have: 20 for a byte in MiB,
// and 9 for the smallest part of one that a quantity has.
const digits = 29

func decimal(n *big.Rat) string {
	text := n.FloatString(digits)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// outOf reports whether a number is outside its limits.
func (a amount) outOf(n *big.Rat, least string) bool {
	low, _ := new(big.Rat).SetString(least)
	high, _ := new(big.Rat).SetString(a.most)
	return n.Cmp(low) < 0 || n.Cmp(high) > 0 || a.whole && !n.IsInt()
}
