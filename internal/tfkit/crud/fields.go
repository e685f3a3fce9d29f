package crud

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// AttrAllowRemovalOf is the attribute that lists the fields which a change may remove.
const AttrAllowRemovalOf = "allow_removal_of"

// AllowRemovalOf is that attribute, of fields with these names.
func AllowRemovalOf(names []string) definition.Attribute {
	return definition.Attribute{
		Name: AttrAllowRemovalOf, Type: definition.StringList, Presence: definition.Optional, Local: true,
		Description: "Fields of the custom resource that a change may remove, although the KusciaAPI does not carry them: " + quotedNames(names) + ". " +
			"With `kubernetes` in the provider block, updates keep all of them. It is not sent, and changing it alone changes nothing.",
	}
}

func quotedNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + name + "`"
	}
	return strings.Join(quoted, ", ")
}

// allowed are the fields that a change to an object may remove.
func allowed(object definition.Value) (names []string) {
	for _, element := range definition.ElementsOf(definition.At(object, AttrAllowRemovalOf)) {
		names = append(names, definition.StringOf(element))
	}
	return names
}

// loss is what a planned change removes of the fields that the KusciaAPI does not carry.
type loss struct {
	// change is what removes them: "update" or "replacement".
	change string
	// gone have to be allowed if they protect something, dropped always: a new object could have them.
	gone, dropped []manifest.Found
	// certain is set if the object has these fields; otherwise it may have them.
	certain bool
	// onlyInCluster is set if only the cluster shows that there is an object.
	onlyInCluster bool
	// refused is why a cluster does not help, inOther is set if it does not have the object.
	refused error
	inOther bool
}

// planFields keeps the fields that the KusciaAPI does not carry in the plan of a change: with a
// cluster, an object that the KusciaAPI cannot update is changed in place. It reports what the change
// removes.
func (o *Object[W]) planFields(ctx context.Context, c *run.Run, from *Planned, flags Flags) (diags diag.Diagnostics) {
	r := o.CustomResource
	if r == nil || c == nil {
		return nil
	}
	change, ok := o.changeOfFields(ctx, c, from)
	if !ok || !r.RemovesAny(change.Change) {
		return nil
	}
	if change.onlyInCluster && !c.ReachedKubernetes(ctx, nil) {
		return nil
	}
	id := ID(change.ID)
	flags.HiddenFields = flags.HiddenFields || from.Prior.IsNull() && c.Objects.Is(o.TypeName, id.String(), run.HiddenFields)
	now, ok := o.lookInPlan(ctx, c, id, from.existing(), &diags)
	if change.onlyInCluster && (!ok || now.Object == nil) {
		return nil
	}
	if !ok {
		return diags
	}
	lost := o.lossOf(ctx, from, now, change, flags, &diags)
	if diags.HasError() {
		return diags
	}
	if lost.onlyInCluster = change.onlyInCluster; lost.onlyInCluster && c.AdoptExisting {
		lost.certain = false
		o.addLoss(&diags, id, lost, o.CustomResource.Named())
		return diags
	}
	if now.Object == nil && !flags.HiddenFields {
		// Nobody is known to have set any: it is only said that they cannot be looked up.
		o.addLoss(&diags, id, lost, fieldNames(lost.gone))
		return diags
	}
	o.addLoss(&diags, id, lost, allowed(from.Planned))
	return diags
}

// recordHiddenFields records at a refresh that an object may have fields which its state does not show.
func (o *Object[W]) recordHiddenFields(c *run.Run, id ID, flags Flags) {
	if flags.HiddenFields && c != nil {
		c.Objects.Record(o.TypeName, id.String(), run.HiddenFields)
	}
}

// fieldChange is a planned change that may remove fields.
type fieldChange[W any] struct {
	manifest.Change[W]
	// unknown is set if some of what is desired is not known. It is then as it was.
	unknown bool
	// onlyInCluster is set if nothing but the cluster can show whether there is an object: with -refresh=false
	// Terraform plans the new object of a tainted one like any other.
	onlyInCluster bool
}

// lossOf returns what a change removes. It turns the plan into one in place where that keeps the
// fields.
func (o *Object[W]) lossOf(ctx context.Context, from *Planned, now manifest.Seen, of fieldChange[W], flags Flags, diags *diag.Diagnostics) loss {
	r := o.CustomResource
	lost := loss{change: of.name(), certain: now.Object != nil, refused: now.Refused, inOther: isInOther(now)}
	if now.Object == nil {
		of.CanKeep = false
		if flags.HiddenFields || now.Refused != nil {
			lost.gone = r.Possible(of.Change)
		}
		return lost
	}
	inPlace := o.planInPlace(from)
	if of.Replaces && inPlace == nil {
		next := r.Merge(now.Object, of.Change)
		lost.dropped, lost.gone = next.Kept, next.Lost
		if r.Manifest == nil || of.unknown { // what the new object has is not known
			lost.dropped, lost.gone = r.All(now.Object), nil
		}
		return lost
	}
	removes := of.Change
	of.Replaces = false
	next := r.Merge(now.Object, of.Change)
	lost.change, lost.gone = of.name(), next.Lost
	if inPlace == nil && len(next.Kept) == 0 {
		return lost
	}
	if of.unknown {
		next.Spec = now.Spec() // only whether it is permitted
	}
	namespace, name := r.Name(of.ID)
	switch err := now.Client.TryPatch(ctx, r.Kind, namespace, name, r.Patch(now.Object, next.Spec, of.Desired)); {
	case errors.Is(err, kube.ErrForbidden):
		of.Change = removes
		lost.change, lost.gone, lost.refused = of.name(), slices.Concat(r.WithoutPatch(next.Kept, removes), next.Lost), err
	case err != nil && !kube.Superseded(err):
		message.AddError(diags, "Unable to update "+o.Title, err)
	case inPlace != nil:
		from.Plan = *inPlace
	}
	return lost
}

// name is the change in messages.
func (f fieldChange[W]) name() string {
	if f.Replaces {
		return "replacement"
	}
	return "update"
}

// changeOf is a change of an object.
func (o *Object[W]) changeOf(ctx context.Context, c *run.Run, id ID, desired, before *W) manifest.Change[W] {
	return manifest.Change[W]{ID: id, Desired: desired, Before: before, Version: func() versions.Version { return c.KusciaVersion(ctx) }}
}

// changeOfFields returns what a plan changes. ok is false if it changes nothing that exists.
// Terraform plans a replacement twice: with the state, unless the object is tainted, and as a create.
func (o *Object[W]) changeOfFields(ctx context.Context, c *run.Run, from *Planned) (change fieldChange[W], ok bool) {
	id, known := o.Identity.of(from.existing())
	replaces := from.Prior.IsNull() || len(from.Replaces) > 0
	if from.Prior.IsNull() {
		is := func(fact run.Fact) bool { return c.Objects.Is(o.TypeName, id.String(), fact) }
		known = known && !is(run.Replaced)
		if change.onlyInCluster = !is(run.Exists); change.onlyInCluster && !c.HasKubernetes() {
			return change, false
		}
	}
	if !known || !replaces && len(from.Sent) == 0 {
		return change, false
	}
	desired, unknown := o.wire(from.Planned, o.Definition.Null())
	change.unknown = len(unknown.All()) > 0
	var before *W
	if !from.Prior.IsNull() {
		before, _ = o.wire(from.Prior, o.Definition.Null())
		if change.unknown {
			desired, _ = o.wire(o.Definition.Filled(from.Planned, from.Prior), o.Definition.Null())
		}
	}
	change.Change = o.changeOf(ctx, c, id, desired, before)
	change.Replaces, change.CanKeep = replaces, c.HasKubernetes()
	return change, true
}

// planInPlace returns the plan of a change in place, where only the KusciaAPI needs a replacement;
// otherwise nil.
func (o *Object[W]) planInPlace(from *Planned) *definition.Plan {
	if !o.Writes.ReplaceAll || from.Prior.IsNull() || o.CustomResource.Manifest == nil {
		return nil
	}
	plan := o.Definition.Plan(from.Config, from.Prior, definition.PlanOptions{Imported: from.Imported})
	if len(plan.Replaces) > 0 {
		return nil
	}
	return &plan
}

func fieldNames(found []manifest.Found) (names []string) {
	for _, f := range found {
		if !slices.Contains(names, f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names
}

// addLoss adds an error for the fields that a change must not remove, and a warning for the others.
func (o *Object[W]) addLoss(diags *diag.Diagnostics, id ID, lost loss, allowed []string) {
	var refused, removed []manifest.Found
	for i, f := range slices.Concat(lost.dropped, lost.gone) {
		if slices.Contains(allowed, f.Name()) || i >= len(lost.dropped) && !f.Protects() {
			removed = append(removed, f)
		} else {
			refused = append(refused, f)
		}
	}
	at := path.Root(AttrAllowRemovalOf)
	isRefused, isRemoved, verb := "Fields of the "+o.Title+" may be lost", "Fields of the "+o.Title+" may be lost", "may remove"
	if lost.certain {
		isRefused, isRemoved, verb = "Fields of the "+o.Title+" would be lost", "Fields of the "+o.Title+" are removed", "removes"
	}
	what := func(found []manifest.Found) string {
		text := fmt.Sprintf("The %s of %s %s fields that the KusciaAPI does not carry: %s.", lost.change, o.named(id), verb, manifest.Listed(found))
		if lost.onlyInCluster {
			text += " The cluster has the object already: it is tainted, or in another state."
		}
		return text
	}
	if len(refused) > 0 {
		diags.AddAttributeError(at, isRefused, what(refused)+" "+o.waysOut(id, lost, refused))
	}
	if len(removed) > 0 {
		diags.AddAttributeWarning(at, isRemoved, what(removed)+o.showsThem(id)+permission(lost.refused))
	}
}

// showsThem says how to see the fields of an object.
func (o *Object[W]) showsThem(id ID) string {
	namespace, name := o.CustomResource.Name(id)
	if namespace != "" {
		namespace = "-n " + namespace + " "
	}
	return fmt.Sprintf("\n\nkubectl get %s %s%s -o yaml shows them.", o.CustomResource.Kind, namespace, name)
}

// permission says why a cluster does not help.
func permission(refused error) string {
	if refused == nil {
		return ""
	}
	return " The user of kubernetes in the provider block needs a permission to keep them: " + strings.TrimRight(refused.Error(), ".") + "."
}

// waysOut says how to go on after a change is refused.
func (o *Object[W]) waysOut(id ID, lost loss, refused []manifest.Found) string {
	allow := fmt.Sprintf("If they may go, set %s = [%s].", AttrAllowRemovalOf, httpapi.QuoteAll(fieldNames(refused)))
	switch {
	case lost.refused != nil:
		return "Nothing was changed. " + allow + o.showsThem(id) + permission(lost.refused)
	case len(lost.dropped) > 0:
		return "A new object cannot have them at every moment. Undo the change, or create the new object with kubectl and import it. " + allow + o.showsThem(id)
	case lost.certain:
		return "Undo the change. " + allow + o.showsThem(id)
	}
	return "It does not return them either, so that only you can know whether there are any. " + toKeep(lost.inOther) + allow + o.showsThem(id)
}

// isInOther reports whether a cluster was asked that does not have the object.
func isInOther(now manifest.Seen) bool {
	return now.Client != nil && now.Object == nil && now.Refused == nil
}

// toKeep says what an update needs to keep fields.
func toKeep(inOther bool) string {
	if inOther {
		return "The cluster of kubernetes in the provider block does not have the object: to keep them, set the cluster of this Kuscia there. "
	}
	return "To keep them, set kubernetes in the provider block. "
}

// warnOfImport warns that an object has fields, or may have them, which the state does not show. It is
// said once, by the first read of what was imported, which finds out whether there is an object.
func (o *Object[W]) warnOfImport(ctx context.Context, c *run.Run, id ID, object definition.Value, flags Flags) (diags diag.Diagnostics) {
	r := o.CustomResource
	if r == nil || !flags.NeverRead {
		return nil
	}
	var unused diag.Diagnostics // the next plan that needs the cluster says what is wrong
	now, looked := o.lookInPlan(ctx, c, id, object, &unused)
	var names, title, keeps string
	if now.Object == nil {
		names, title = strings.Join(r.Named(), ", "), " may have fields that are not imported"
		switch {
		case !looked:
			keeps = "A change may remove them. The cluster of kubernetes in the provider block could not be asked; the plan of such a change says why."
		case !r.RemovesAny(o.changeOf(ctx, c, id, nil, nil)):
			keeps = "Updates keep them, and a replacement removes them. With kubernetes in the provider block its plan names them." + permission(now.Refused)
		case now.Refused != nil:
			keeps = "A change may remove them." + permission(now.Refused)
		default:
			keeps = "A change may remove them. " + strings.TrimSpace(toKeep(isInOther(now)))
		}
	} else {
		found := r.All(now.Object)
		if len(found) == 0 {
			return nil
		}
		names, title = manifest.Listed(found), " has fields that are not imported"
		keeps = "Updates keep them; a plan that cannot says so."
	}
	diags.AddAttributeWarning(o.Identity.lastPath(), message.Capitalize(o.Title)+title,
		fmt.Sprintf("The KusciaAPI does not carry all fields of %s: %s. %s%s", o.named(id), names, keeps, o.showsThem(id)))
	return diags
}

// lookInPlan is look for a plan. ok is false if a cluster is configured and does not answer.
func (o *Object[W]) lookInPlan(ctx context.Context, c *run.Run, id ID, object definition.Value, diags *diag.Diagnostics) (s manifest.Seen, ok bool) {
	if !c.HasKubernetes() {
		return manifest.Seen{}, true
	}
	if _, ready := c.ReadyKubernetes(diags); !ready {
		return manifest.Seen{}, false
	}
	summary := "Unable to read " + o.Title + " in the cluster"
	var more diag.Diagnostics
	if !c.ReachedKubernetes(ctx, &more) {
		if diags.Append(more...); !diags.HasError() {
			message.AddError(diags, summary, fmt.Errorf("%s: it may have fields that the KusciaAPI does not carry and that this change removes. The Kubernetes API does not answer, see the warning. Nothing was changed. Make it reachable, or correct kubernetes in the provider block; without a cluster, remove it from the provider block", o.named(id)))
		}
		return manifest.Seen{}, false
	}
	s, err := o.look(ctx, c, id, object)
	if err != nil {
		message.AddError(diags, summary, err)
		return manifest.Seen{}, false
	}
	return s, true
}

// KnownFields are the fields of the custom resource, see manifest.CustomResource.Known; none if the
// resource declares none.
func (r *Resource[W]) KnownFields() []string {
	if r.object.CustomResource == nil {
		return nil
	}
	return r.object.CustomResource.Known()
}

// look reads the custom resource of an object, and refuses that of another Kuscia. If the domains do
// not tell, the object has to be the one that the KusciaAPI returns. Both are read again where they
// differ: another client may have changed the object in between.
func (o *Object[W]) look(ctx context.Context, c *run.Run, id ID, object definition.Value) (seen manifest.Seen, err error) {
	client, err := c.OpenKubernetes()
	if err != nil {
		return seen, err
	}
	for began := time.Now(); ; {
		seen, err = o.CustomResource.Look(ctx, client, id)
		if err != nil || seen.Object == nil || c.Kuscia == nil || o.Server.Name == Cluster.Name {
			return seen, err
		}
		match, err := c.ClusterOfKuscia(ctx)
		if err != nil || match == clients.ClusterSame {
			return seen, err
		}
		why := "has domains with other deploy tokens"
		if match == clients.ClusterUnknown {
			if why, err = o.differs(ctx, c, id, object, seen); err != nil || why == "" {
				return seen, err
			}
		}
		if match == clients.ClusterOther || time.Since(began) > staleDelay || !wait.Sleep(ctx, consistencyPause) {
			return seen, &otherClusterError{what: o.named(id), why: why}
		}
	}
}

// differs returns why what is seen cannot be the object of the KusciaAPI; "" if it can.
func (o *Object[W]) differs(ctx context.Context, c *run.Run, id ID, object definition.Value, seen manifest.Seen) (why string, err error) {
	found, err := o.steps.API(c, object).Query(ctx, id)
	switch {
	case o.Server.Errors.NotFound(err):
		return "has the object, and the KusciaAPI does not", nil
	case err != nil:
		return "", err
	}
	if differs := o.CustomResource.Differs(seen.Object, found); len(differs) > 0 {
		why = "has another " + strings.Join(differs[:min(len(differs), 5)], ", ")
	}
	return why, nil
}

// otherClusterError is returned if a cluster is not that of the KusciaAPI.
type otherClusterError struct{ what, why string }

func (e *otherClusterError) Error() string {
	return fmt.Sprintf("%s: the cluster of kubernetes in the provider block is not that of the KusciaAPI: it %s. Nothing was changed. "+
		"Correct kubernetes, or remove it from the provider block of this Kuscia. "+
		"Environment variables KUSCIA_KUBE_* apply to every provider block: with several Kuscias, set kubernetes in the provider blocks instead", message.Capitalize(e.what), e.why)
}

// checkAllowed reports values of allow_removal_of that are no fields.
func (o *Object[W]) checkAllowed(config definition.Value) (diags diag.Diagnostics) {
	if o.CustomResource == nil {
		return nil
	}
	for i, element := range definition.ElementsOf(definition.At(config, AttrAllowRemovalOf)) {
		name, names := definition.StringOf(element), o.CustomResource.Named()
		if !element.IsKnown() || slices.Contains(names, name) {
			continue
		}
		at, kind := path.Root(AttrAllowRemovalOf).AtListIndex(i), o.CustomResource.Kind.Kind
		if !manifest.IsPath(name) || o.CustomResource.Carried.Has(name) {
			diags.AddAttributeError(at, "Unknown field", fmt.Sprintf("%s: %q is no field of a %s that the KusciaAPI does not carry. Use %s.", at, name, kind, httpapi.QuoteAll(names)))
			continue
		}
		diags.AddAttributeWarning(at, "Unknown field", fmt.Sprintf("%s: no field %q of a %s is known. This only helps if the object has one, of a newer Kuscia. The others are %s.", at, name, kind, httpapi.QuoteAll(names)))
	}
	return diags
}
