package sandbox

import "k8s.io/apimachinery/pkg/api/resource"

// canonical parses a quantity and returns the form in which it is stored.
func canonical(quantity string) (string, error) {
	parsed, err := resource.ParseQuantity(quantity)
	if err != nil {
		return "", err
	}
	return parsed.String(), nil
}

// sameQuantity compares a new quantity with a stored one; a missing one counts
// as zero, as in the server.
func sameQuantity(a resource.Quantity, stored string) bool {
	if stored == "" {
		return a.IsZero()
	}
	b, err := resource.ParseQuantity(stored)
	return err == nil && a.Cmp(b) == 0
}
