package rules

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
)

// Kuscia shows resources that it stores for a party like those that its pods have from the app
// image. So after an import it is not known which of the two they are. The next update shows it,
// if the app image has others by then: the pods get these, or keep theirs. Resources that the
// configuration writes are sent with that update, so that the pods keep them in both cases.

// deployedAs returns what a response shows of a party. own are the resources of its app image, and
// read is set if the state has those of the response.
func deployedAs(response []kuscia.Resource, own party.PodResources, read bool) DeployedParty {
	d := DeployedParty{Containers: make(party.PodResources, len(own)), Read: party.PodResources{}}
	for name, image := range own {
		shown := shownResources(response, name, image)
		if shown == image || shown == party.NoAmounts {
			d.FromImage = append(d.FromImage, name)
		}
		d.Containers[name] = shown
		if shown != party.NoAmounts {
			d.Containers[name] = shown.Over(image)
		}
		if shown != party.NoAmounts && read {
			d.Read[name] = shown
		}
	}
	slices.Sort(d.FromImage)
	return d
}

// shownResources are those of a container in a response, or others if it has none.
func shownResources(response []kuscia.Resource, container string, others party.PodAmounts) party.PodAmounts {
	i := slices.IndexFunc(response, func(r kuscia.Resource) bool { return r.ContainerName == container })
	if i < 0 {
		return others
	}
	return podAmounts(AmountsOf(response[i]))
}

func podAmounts(a Amounts) party.PodAmounts {
	return party.PodAmountsOf(a.MinCPU, a.MinMemory, a.MaxCPU, a.MaxMemory)
}

// mayFollow reports whether an update gives the pods of a party the resources that its app image
// has now if theirs are the app image's, which is not known. follows is set if that is a reason for an
// update: they were the same when they were read, so that they probably are, and none has tried it.
func (d DeployedParty) mayFollow(own party.PodResources) (may, follows bool) {
	for name, read := range d.Read {
		if now, has := own[name]; has && now != read {
			may, follows = true, follows || !d.Updated && slices.Contains(d.FromImage, name)
		}
	}
	return may, follows
}

// isFromImage reports whether the resources of a container are known to be the app image's.
func (d DeployedParty) isFromImage(container string) bool {
	_, read := d.Read[container]
	return !read && slices.Contains(d.FromImage, container)
}

// writes reports whether an update writes the resources of a party that were read by an import, since
// the app image has others: those of all its containers, as Kuscia drops a list in which one has none.
func (d DeployedParty) writes(p Party, own party.PodResources, private Private) bool {
	may, _ := d.mayFollow(own)
	spec := p.Resources().Spec()
	if !may || private.ResourcesObserved(p.Key()) || !spec.IsSet() {
		return false
	}
	for name := range own {
		if spec.ForContainer(name).Empty() {
			return false
		}
	}
	return true
}

// writtenOrTried returns what is known of a party after an update that reached its pods. private is
// that after the update.
func (d DeployedParty) writtenOrTried(p Party, own party.PodResources, private Private) DeployedParty {
	if d.writes(p, own, private) {
		d.Read, d.FromImage, d.Updated = nil, nil, false
	}
	may, _ := d.mayFollow(own)
	d.Updated = d.Updated || may
	d.NotCounted = d.NotCounted || may && p.PodRevision().IsUnknown()
	return d
}

// Expected returns those of the named parties whose pods an update was known to replace.
func Expected(parties []string, state Serving, private Private) []string {
	return slices.DeleteFunc(slices.Clone(parties), func(name string) bool {
		return slices.ContainsFunc(state.Parties().Items, func(p Party) bool {
			return private.Deployed[p.Key().String()].NotCounted && servingstatus.PartyName(p.Key().DomainID, p.Key().Role) == name
		})
	})
}

// seen returns what is known of a party after a response that shows its resources, and whether an
// update has replaced its pods that its pod revision does not count. complete is set if the last
// update has reached them.
func (d DeployedParty) seen(response []kuscia.Resource, own party.PodResources, complete bool) (next DeployedParty, notCounted bool) {
	replaced := false
	next = d
	next.Read, next.Containers = party.PodResources{}, d.Containers.Updated(nil)
	for name, read := range d.Read {
		shown := shownResources(response, name, read)
		now, has := own[name]
		switch {
		case has && shown != read && shown == now:
			replaced, next.Containers[name] = true, shown
			next.FromImage = append(without(next.FromImage, name), name)
		case has && shown == read && now != read && d.Updated && complete:
			next.FromImage = without(next.FromImage, name)
		default:
			next.Read[name] = read
		}
	}
	if slices.Sort(next.FromImage); len(next.Read) == 0 || replaced {
		next.Updated, next.NotCounted = false, false
	}
	return next, replaced && d.NotCounted
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other == name })
}
