package deployment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

var (
	// pace is the time between two looks.
	pace = wait.Pace{First: 100 * time.Millisecond, Longest: 2 * time.Second}
	// staleFailure is for how long after an update a phase Failed may be that of
	// before it.
	staleFailure = 5 * time.Second
	// heldSoon is after which time a Deployment counts as held whose Rollout cannot
	// be read.
	heldSoon = 15 * time.Second
	// imagesKept is after which time the app images are read once more.
	imagesKept = 5 * time.Second
)

// watch is the wait for one deployment.
type watch struct {
	client *kube.Client
	name   string
	// created says that the KusciaDeployment is new, so that what its status says
	// is about it.
	created bool

	began    time.Time
	images   map[string]*kube.AppImage
	imagesAt time.Time
	partners map[string]bool
}

// sight is what one look saw.
type sight struct {
	kd       *kube.KusciaDeployment
	parties  []partySight
	done     bool
	failed   error
	heldText string
}

type partySight struct {
	expected party.Expected
	verdict  party.Verdict
}

// text describes the parties, for messages.
func (s *sight) text() string {
	if s == nil || s.kd == nil {
		return "nothing was seen"
	}
	var lines []string
	for _, p := range s.parties {
		lines = append(lines, fmt.Sprintf("domain %s: %s", p.expected.Namespace, p.verdict.Text))
	}
	if len(lines) == 0 {
		lines = []string{"no party is of this control plane"}
	}
	text := strings.Join(lines, "; ")
	if status := s.kd.Status; status.Reason != "" || status.Message != "" {
		text += fmt.Sprintf(". Kuscia says: %s %s", httpapi.Text(status.Reason), httpapi.Text(status.Message))
	}
	return text
}

// run looks until the deployment runs, is held by a Rollout, or has failed.
func (w *watch) run(ctx context.Context) (*sight, error) {
	w.began = time.Now()
	var last *sight
	err := wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		seen, err := w.look(ctx)
		if errors.Is(err, apierror.ErrNotFound) {
			last = &sight{failed: errors.New("it was deleted while its pods were waited for")}
			return true, nil
		}
		if err != nil {
			return false, err
		}
		last = seen
		tflog.Info(ctx, "waiting for a KusciaDeployment", map[string]any{"name": w.name, "progress": w.client.Masker(ctx).Text(seen.text())})
		return seen.done || seen.failed != nil || seen.heldText != "", nil
	})
	if err != nil {
		return last, fmt.Errorf("%s: %w", w.client.Masker(ctx).Text(last.text()), err)
	}
	return last, last.failed
}

// look asks for the KusciaDeployment and the Deployments that Kuscia made of it.
func (w *watch) look(ctx context.Context) (*sight, error) {
	object, err := w.client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, w.name)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	kd, err := decoded(object)
	if err != nil {
		return nil, err
	}
	deployments, err := deploymentsOf(ctx, w.client, w.name)
	if err != nil {
		return nil, err
	}
	seen := &sight{kd: kd}
	all, free := true, true
	for _, p := range kd.Spec.Parties {
		if w.partner(ctx, p.DomainID) {
			continue
		}
		image, err := w.image(ctx, p.AppImageRef)
		if err != nil {
			return nil, err
		}
		expected := party.Expect(kd, p, image)
		verdict := party.Judge(expected, deployments[expected.Namespace+"/"+expected.Name])
		if image == nil {
			verdict = party.Verdict{Text: fmt.Sprintf("its app image %q does not exist", httpapi.Text(p.AppImageRef))}
		}
		seen.parties = append(seen.parties, partySight{expected, verdict})
		all = all && verdict.Done
		free = free && (verdict.Done || verdict.HeldBy != "")
		if verdict.Failed != "" && verdict.HeldBy == "" {
			seen.failed = errors.New(w.client.Masker(ctx).Text(fmt.Sprintf("the Deployment of domain %s makes no progress: %s", httpapi.Text(p.DomainID), verdict.Failed)))
		}
	}
	seen.done = all
	if !all && free {
		seen.heldText = w.held(ctx, seen)
	}
	if status := kd.Status; !all && status.Phase == kube.PhaseFailed && (w.created || time.Since(w.began) > staleFailure) {
		seen.failed = errors.New(w.client.Masker(ctx).Text(fmt.Sprintf("Kuscia has given up with the reason %s: %s", httpapi.Text(status.Reason), httpapi.Text(status.Message))))
	}
	return seen, nil
}

// deploymentsOf are the Deployments of a KusciaDeployment, by namespace and name.
func deploymentsOf(ctx context.Context, client *kube.Client, name string) (map[string]*kube.Deployment, error) {
	list, err := client.List(ctx, kube.Deployments, kube.ListOptions{LabelSelector: kube.LabelKDName + "=" + name})
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	found := make(map[string]*kube.Deployment, len(list.Items))
	for i := range list.Items {
		d := &kube.Deployment{}
		if err := kube.Decode(&list.Items[i], d); err != nil {
			return nil, fmt.Errorf("a Deployment cannot be read: %w", err)
		}
		found[d.Metadata.Namespace+"/"+d.Metadata.Name] = d
	}
	return found, nil
}

// partner reports whether a domain is of another control plane, where its
// Deployment is, too. Who may not ask takes it for one of this one.
func (w *watch) partner(ctx context.Context, domainID string) bool {
	if is, known := w.partners[domainID]; known {
		return is
	}
	object, err := w.client.Get(ctx, kube.Domains, "", domainID)
	domain := &kube.Domain{}
	if err != nil || kube.Decode(object, domain) != nil {
		return false
	}
	if w.partners == nil {
		w.partners = map[string]bool{}
	}
	w.partners[domainID] = domain.Spec.Role != ""
	return w.partners[domainID]
}

// image is an app image, nil where there is none. It may change during a wait.
func (w *watch) image(ctx context.Context, name string) (*kube.AppImage, error) {
	if w.images == nil || time.Since(w.imagesAt) > imagesKept {
		w.images, w.imagesAt = map[string]*kube.AppImage{}, time.Now()
	}
	if image, known := w.images[name]; known {
		return image, nil
	}
	object, err := w.client.Get(ctx, kube.AppImages, "", name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		w.images[name] = nil
		return nil, nil //nolint:nilnil // there is none
	case err != nil:
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	image := &kube.AppImage{}
	if err := kube.Decode(object, image); err != nil {
		return nil, fmt.Errorf("app image %q cannot be read: %w", name, err)
	}
	w.images[name] = image
	return image, nil
}
