package cluster

import "k8s.io/apimachinery/pkg/api/resource"

// CanonicalQuantity returns the canonical form of a quantity, as it is stored.
func CanonicalQuantity(quantity string) (string, error) {
	parsed, err := resource.ParseQuantity(quantity)
	if err != nil {
		return "", err
	}
	return parsed.String(), nil
}

// SameQuantity compares a new quantity with a stored one; as in the server, a
// missing one is zero.
func SameQuantity(a resource.Quantity, stored string) bool {
	if stored == "" {
		return a.IsZero()
	}
	b, err := resource.ParseQuantity(stored)
	return err == nil && a.Cmp(b) == 0
}
