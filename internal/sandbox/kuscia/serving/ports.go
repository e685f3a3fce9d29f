package serving

import "fmt"

// The range of Kuscia's port numbers.
const (
	firstPort = 20000
	lastPort  = 32767
)

// allocatePorts assigns a number to every port of the parties, once in the life
// of a serving. A port name that is added later has none, and blocks every
// later pass.
func (w *Servings) allocatePorts(sv *serving, kits []*kit) (fresh bool, err error) {
	if sv.ports == nil {
		sv.ports = map[partyKey]map[string]int32{}
		for _, k := range kits {
			key := partyKey{k.party.DomainID, k.party.Role}
			if sv.ports[key] != nil {
				continue
			}
			sv.ports[key] = map[string]int32{}
			for _, port := range k.ports {
				sv.ports[key][port.Name] = w.freePort(k.party.DomainID)
			}
		}
		fresh = true
	}
	for _, k := range kits {
		key := partyKey{k.party.DomainID, k.party.Role}
		numbers, ok := sv.ports[key]
		if !ok {
			return fresh, &failure{reasonPorts, fmt.Sprintf("failed to allocate ports, allocated ports not found for party %s/%s", key.domainID, key.role)}
		}
		for _, port := range k.ports {
			if _, ok := numbers[port.Name]; !ok {
				return fresh, &failure{reasonPorts, fmt.Sprintf(
					"failed to allocate ports, failed to fill allocated ports for party %s/%s, detail->not found allocated port for %s",
					key.domainID, key.role, port.Name)}
			}
		}
	}
	return fresh, nil
}

// freePort returns a number that no Service of the domain uses; if all are used
// it repeats one, since nothing listens there.
func (w *Servings) freePort(domainID string) int32 {
	used := w.usedPorts[domainID]
	if used == nil {
		used = map[int32]bool{}
		w.usedPorts[domainID] = used
	}
	number := int32(firstPort + w.Rand.IntN(lastPort-firstPort+1))
	for range lastPort - firstPort {
		if !used[number] {
			break
		}
		if number++; number > lastPort {
			number = firstPort
		}
	}
	used[number] = true
	return number
}
