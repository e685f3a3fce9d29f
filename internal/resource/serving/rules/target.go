package rules

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
)

// CreateTarget returns the target of the wait for a new serving.
func CreateTarget(planned Serving) servingstatus.Target {
	parties := planned.Parties().Items
	target := servingstatus.Target{ServingID: planned.ServingID().ValueString(), ProgressDeadline: ProgressDeadline(planned)}
	for _, p := range parties {
		target.Parties = append(target.Parties, servingstatus.PartyTarget{
			DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString(), Replicas: p.Replicas().ValueInt32(),
		})
	}
	return target
}

// UpdateTarget returns the target of the wait for an update, with the way in
// which the pods of each party are replaced, since only the rollouts of replaced
// pods have to be observed. snapshot is the status before the request, nil if
// unknown.
func UpdateTarget(planned, prior Serving, private Private, snapshot *servingstatus.Snapshot) servingstatus.Target {
	target := CreateTarget(planned)
	target.Updated, target.Before = true, snapshot
	parties := planned.Parties().Items
	before := prior.Parties().Items
	for i, p := range parties {
		old, _ := FindParty(before, p.Key())
		desired := &target.Parties[i]
		if ReplacesPodsOf(p, prior) {
			desired.Replacement = replacementOf(p.Strategy().Wire(), old.Replicas().ValueInt32(), p.Replicas().ValueInt32())
		}
		desired.Unchanged = desired.Replacement == judge.NoReplacement && !CompareParties(old, p, private).Any()
	}
	return target
}

// replacementOf returns how a strategy replaces pods, for the replica counts of
// a party before and after.
func replacementOf(strategy *kuscia.UpdateStrategy, before, after int32) judge.Replacement {
	if strategy == nil {
		strategy = &kuscia.UpdateStrategy{Type: kuscia.StrategyRollingUpdate, MaxSurge: kuscia.DefaultMaxSurge, MaxUnavailable: kuscia.DefaultMaxUnavailable}
	}
	if party.StopsAll(strategy.Type, strategy.MaxSurge, strategy.MaxUnavailable, after, min(before, after)) {
		return judge.RecreateAll
	}
	return judge.RollingReplacement
}

// RedeployTarget returns the target of the rollout of every party.
func RedeployTarget(servingID string, current *kuscia.Serving, defaultReplicas func(kuscia.ServingParty) int32) servingstatus.Target {
	target := servingstatus.Target{ServingID: servingID, ProgressDeadline: DefaultProgressDeadline, Updated: true, Before: &servingstatus.Snapshot{Status: current.Status}}
	for _, wire := range current.Parties {
		party := servingstatus.PartyTarget{DomainID: wire.DomainID, Role: wire.Role}
		if wire.Replicas != nil {
			party.Replicas = *wire.Replicas
		} else {
			party.Replicas = defaultReplicas(wire)
		}
		party.Replacement = replacementOf(wire.UpdateStrategy, party.Replicas, party.Replicas)
		target.Parties = append(target.Parties, party)
	}
	return target
}

// StopsAll are the parties of a planned update whose pods are replaced, or may be, and which have none
// meanwhile.
func StopsAll(planned, prior Serving) (parties []Party) {
	before := prior.Parties().Items
	for _, p := range planned.Parties().Items {
		old, _ := FindParty(before, p.Key())
		if ReplacesPodsOf(p, prior) && p.Known() && old.Replicas().ValueInt32() > 0 && p.Replicas().ValueInt32() > 0 &&
			replacementOf(p.Strategy().Wire(), p.Replicas().ValueInt32(), p.Replicas().ValueInt32()) == judge.RecreateAll {
			parties = append(parties, p)
		}
	}
	return parties
}

// AddMaybeApplied adds to a target the parties whose pods may have what their app image had for
// a while, which an update takes back.
func AddMaybeApplied(d Private, target servingstatus.Target, planned Serving) servingstatus.Target {
	for i, p := range planned.Parties().Items {
		if target.Parties[i].Replacement == judge.NoReplacement && d.Deployed[p.Key().String()].MaybeApplied != nil {
			target.Parties[i].Unchanged = false
			target.Parties[i].Replacement = replacementOf(p.Strategy().Wire(), p.Replicas().ValueInt32(), p.Replicas().ValueInt32())
		}
	}
	return target
}
