package ief

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scope is the API version, the project and the service instance of a
// deployment.
type scope struct{ version, project, instance string }

// deployment is a stored deployment. Its content has the format of its version:
// the body of v3, the object "deployment" of v2.
type deployment struct {
	scope
	id, name             string
	content              object
	revisions            []revision
	createdAt, updatedAt time.Time
	deletedAt            time.Time
}

// revision is the specification of a deployment since a point in time.
type revision struct {
	since    time.Time
	template object // the template of v3, the app of v2
	replicas int
	pods     []podID
}

// podID is an instance with its creation time.
type podID struct {
	id    string
	since time.Time
}

func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (s *Server) find(scope scope, id string) *deployment {
	for _, d := range s.deployments {
		if d.scope == scope && d.id == id {
			return d
		}
	}
	return nil
}

// sweep removes deployments that were deleted long enough ago.
func (s *Server) sweep() {
	s.deployments = slices.DeleteFunc(s.deployments, func(d *deployment) bool {
		return !d.deletedAt.IsZero() && !s.offline(d) && time.Since(d.deletedAt) >= s.options.Timing.Remove
	})
}

func (s *Server) offline(d *deployment) bool {
	return slices.ContainsFunc(texts(d.content["node_ids"]), func(node string) bool { return slices.Contains(s.options.OfflineNodes, node) })
}

func (s *Server) create(scope scope, body []byte) (int, any, *failure) {
	content, failed := decode(body)
	if failed != nil {
		return 0, nil, failed
	}
	if scope.version == "v2" {
		content = objectIn(content, "deployment")
	}
	if failed := check(scope.version, content); failed != nil {
		return 0, nil, failed
	}
	s.created++
	d := &deployment{
		scope: scope, id: newID(), name: text(content, "name"), content: content,
		// Creation times are unique, so that lists have an order.
		createdAt: time.Now().UTC().Add(time.Duration(s.created) * time.Nanosecond),
	}
	d.updatedAt = d.createdAt
	s.deployments = append(s.deployments, d)
	s.revise(d, templateOf(scope.version, content), replicasOf(scope.version, content), d.createdAt)
	return http.StatusCreated, s.show(d), nil
}

// revise makes a revision of a deployment. Once its instances run, their containers have
// started, unless it only changes the number of instances.
func (s *Server) revise(d *deployment, template object, replicas int, now time.Time) {
	pods, fresh := d.revise(template, replicas, now)
	if !fresh || s.options.Started == nil || s.offline(d) {
		return
	}
	delay := s.options.Timing.Lag + s.options.Timing.Start
	if strings.Contains(imagesOf(d.version, template), "slow") {
		delay += s.options.Timing.ClearFaults
	}
	time.AfterFunc(time.Until(now.Add(delay)), func() {
		if !s.isRunning(d, pods[0]) {
			return
		}
		for _, container := range objects(template["containers"]) {
			environment := map[string]string{}
			for _, one := range objects(container["envs"]) {
				environment[text(one, "name")] = text(one, "value")
			}
			s.options.Started(environment)
		}
	})
}

// isRunning reports whether an instance runs: the server may be closed, and the
// deployment deleted or updated.
func (s *Server) isRunning(d *deployment, id podID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.stopped:
		return false
	default:
		return slices.Contains(s.deployments, d) &&
			slices.ContainsFunc(s.pods(d), func(p pod) bool { return p.podID == id && p.state == "RUNNING" })
	}
}

func templateOf(version string, content object) object {
	if version == "v2" {
		return objectIn(content, "app")
	}
	return objectIn(objectIn(content, "deployment"), "template")
}

func replicasOf(version string, content object) int {
	if version == "v2" {
		return 1
	}
	n, _ := number(objectIn(content, "deployment"), "replicas")
	return int(n)
}

// revise creates new instances if the template changes, and keeps the existing
// ones if only their number does. It returns the instances, and whether all are new.
func (d *deployment) revise(template object, replicas int, now time.Time) (pods []podID, fresh bool) {
	next := revision{since: now, template: template, replicas: replicas}
	if len(d.revisions) > 0 {
		if last := d.revisions[len(d.revisions)-1]; reflect.DeepEqual(last.template, template) {
			next.pods = slices.Clone(last.pods[:min(len(last.pods), replicas)])
		}
	}
	fresh = len(next.pods) == 0 && replicas > 0
	for len(next.pods) < replicas {
		next.pods = append(next.pods, podID{newID(), now})
	}
	d.revisions = append(d.revisions, next)
	return next.pods, fresh
}

func (s *Server) update(d *deployment, body []byte) (int, any, *failure) {
	change, failed := decode(body)
	if failed != nil {
		return 0, nil, failed
	}
	if !d.deletedAt.IsZero() {
		return 0, nil, refuse(codeName, "The deployment is being deleted.")
	}
	next := cloneObject(d.content)
	if description, ok := change["description"]; ok {
		next["description"] = description
	}
	spec := objectIn(change, "deployment")
	if spec != nil {
		next = merged(d.version, next, spec)
	}
	if failed := check(d.version, next); failed != nil {
		return 0, nil, failed
	}
	d.content, d.updatedAt = next, time.Now().UTC()
	if spec != nil {
		template := templateOf(d.version, next)
		if s.definitionsHeld {
			template = d.revisions[len(d.revisions)-1].template
		}
		s.revise(d, template, replicasOf(d.version, next), d.updatedAt)
	}
	if d.version == "v2" {
		return http.StatusOK, s.showUpgradeV2(d), nil
	}
	return http.StatusOK, s.show(d), nil
}

// merged replaces the template by that of an update. v2 keeps the name and the
// version of the app, which an update does not have.
func merged(version string, content, spec object) object {
	if version == "v2" {
		app := cloneObject(spec)
		for _, name := range []string{"name", "version"} {
			if value, ok := objectIn(content, "app")[name]; ok {
				app[name] = value
			}
		}
		content["app"] = app
		return content
	}
	inner := cloneObject(objectIn(content, "deployment"))
	for name, value := range spec {
		inner[name] = value
	}
	content["deployment"] = inner
	return content
}

func (s *Server) remove(d *deployment, force bool) (int, any, *failure) {
	if d.deletedAt.IsZero() {
		d.deletedAt = time.Now()
	}
	if force {
		s.deployments = slices.DeleteFunc(s.deployments, func(other *deployment) bool { return other == d })
	}
	return http.StatusNoContent, nil, nil
}

// page parses limit and offset.
func page(query url.Values) (offset, limit int, failed *failure) {
	limit = 10
	if text := query.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 100 {
			return 0, 0, refuse(codeLimit, "The request limit does not comply with specifications.")
		}
		limit = n
	}
	if text := query.Get("offset"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return 0, 0, refuse(codeOffset, "The request offset does not comply with specifications.")
		}
		offset = n
	}
	return offset, limit, nil
}

func window[T any](all []T, offset, limit int) []T {
	offset = min(offset, len(all))
	return all[offset:min(offset+limit, len(all))]
}

func (s *Server) list(scope scope, query url.Values) (int, any, *failure) {
	offset, limit, failed := page(query)
	if failed != nil {
		return 0, nil, failed
	}
	if scope.version == "v3" && query.Get("node_id") != "" && query.Get("group_id") != "" {
		return 0, nil, refuse(codeName, "node_id and group_id are not allowed together.")
	}
	var found []*deployment
	for _, d := range s.deployments {
		if d.scope == scope && d.matches(query) {
			found = append(found, d)
		}
	}
	if query.Get("sort") != "created_at:asc" { // newest first, as in the console
		slices.Reverse(found)
	}
	shown := []any{}
	for _, d := range window(found, offset, limit) {
		if scope.version == "v2" {
			shown = append(shown, s.showV2(d))
		} else {
			shown = append(shown, s.show(d))
		}
	}
	return http.StatusOK, object{"count": len(found), "deployments": shown}, nil
}

func (d *deployment) matches(query url.Values) bool {
	return strings.Contains(d.name, query.Get("name")) &&
		(query.Get("node_id") == "" || slices.Contains(texts(d.content["node_ids"]), query.Get("node_id"))) &&
		(query.Get("group_id") == "" || text(d.content, "group_id") == query.Get("group_id"))
}

func (s *Server) listPods(scope scope, query url.Values) (int, any, *failure) {
	offset, limit, failed := page(query)
	if failed != nil {
		return 0, nil, failed
	}
	chosen := 0
	for _, name := range []string{"node_id", "group_id", "deployment_id", "deployment_ids"} {
		if query.Get(name) != "" {
			chosen++
		}
	}
	if chosen != 1 {
		return 0, nil, refuse(codeName, "Exactly one of node_id, group_id, deployment_id and deployment_ids is needed.")
	}
	ids := append(strings.Split(query.Get("deployment_ids"), ","), query.Get("deployment_id"))
	pods := []any{}
	for _, d := range s.deployments {
		if d.scope == scope && (slices.Contains(ids, d.id) || chosen == 1 && query.Get("deployment_id")+query.Get("deployment_ids") == "" && d.matches(query)) {
			for _, pod := range s.pods(d) {
				pods = append(pods, pod.show(d))
			}
		}
	}
	return http.StatusOK, object{"count": len(pods), "pods": window(pods, offset, limit)}, nil
}

// PauseUpdates makes edge nodes ignore new definitions of updates: instances
// keep their definition, and only their number changes.
func (s *Server) PauseUpdates(hold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.definitionsHeld = hold
	if hold {
		return
	}
	for _, d := range s.deployments {
		s.revise(d, templateOf(d.version, d.content), replicasOf(d.version, d.content), time.Now().UTC())
	}
}

// Exists reports whether there is a deployment with a name, including one that
// is being deleted.
func (s *Server) Exists(name string) bool { return s.Count(name) > 0 }

// Count is the number of deployments with a name.
func (s *Server) Count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	n := 0
	for _, d := range s.deployments {
		if d.name == name {
			n++
		}
	}
	return n
}

// Drop removes the deployments with a name immediately, without the API.
func (s *Server) Drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deployments = slices.DeleteFunc(s.deployments, func(d *deployment) bool { return d.name == name })
}
