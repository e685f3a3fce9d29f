package ief

import (
	"encoding/json"
	"strings"
)

// The wire types of v2. A deployment has one container, whose settings are at
// the same level as those of the instance, and amounts are numbers.

type v2CreateBody struct {
	Deployment v2Create `json:"deployment"`
}

type v2Create struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	NodeIDs     []string `json:"node_ids"`
	GroupID     string   `json:"group_id,omitempty"`
	App         v2App    `json:"app"`
}

// v2App is the container of a deployment. Lists are sent even if empty, as in
// the documented example, so that an update clears them.
type v2App struct {
	Name              string       `json:"name,omitempty"`
	Version           string       `json:"version,omitempty"`
	ImageURL          string       `json:"image_url"`
	Command           []string     `json:"command,omitempty"`
	Args              []string     `json:"args,omitempty"`
	Envs              []Env        `json:"envs"`
	Volumes           []Volume     `json:"volumes"`
	Resources         *v2Resources `json:"resources,omitempty"`
	Configs           *v2Configs   `json:"configs,omitempty"`
	LivenessProbe     *v2Probe     `json:"liveness_probe,omitempty"`
	ReadinessProbe    *v2Probe     `json:"readiness_probe,omitempty"`
	Migration         *bool        `json:"migration,omitempty"`
	TolerationSeconds *int32       `json:"toleration_seconds,omitempty"`
}

type v2Resources struct {
	Limits   map[string]json.Number `json:"limits,omitempty"`
	Requests map[string]json.Number `json:"requests,omitempty"`
}

type v2Configs struct {
	Privileged    bool   `json:"privileged"`
	HostNetwork   bool   `json:"host_network"`
	RestartPolicy string `json:"restart_policy"`
	Ports         []Port `json:"ports,omitempty"`
	RunAsUser     *int32 `json:"run_as_user,omitempty"`
	HostPID       bool   `json:"host_pid,omitempty"`
	DNSPolicy     string `json:"dns_policy,omitempty"`
}

type v2Probe struct {
	ExecCommand         string   `json:"exec_command,omitempty"`
	HTTPGet             *HTTPGet `json:"http_get,omitempty"`
	InitialDelaySeconds int32    `json:"initial_delay_seconds,omitempty"`
	TimeoutSeconds      int32    `json:"timeout_seconds,omitempty"`
}

type v2UpdateBody struct {
	Description *string `json:"description,omitempty"`
	Deployment  *v2App  `json:"deployment,omitempty"`
}

// v2Deployment is a deployment in a response. The settings of the container are
// in each instance; the response to an update has them next to the instances.
type v2Deployment struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	ProjectID   string       `json:"project_id"`
	CreatedAt   string       `json:"created_at"`
	UpdatedAt   string       `json:"updated_at"`
	NodeIDs     []string     `json:"node_ids"`
	GroupID     string       `json:"group_id"`
	Instances   []v2Instance `json:"instances"`
	v2AppResponse
}

type v2AppResponse struct {
	Version           string       `json:"version"`
	ImageURL          string       `json:"image_url"`
	Command           []string     `json:"command"`
	Args              []string     `json:"args"`
	Envs              []Env        `json:"envs"`
	Volumes           []Volume     `json:"volumes"`
	Resources         *v2Resources `json:"resources"`
	Configs           *v2Configs   `json:"configs"`
	LivenessProbe     *v2Probe     `json:"liveness_probe"`
	ReadinessProbe    *v2Probe     `json:"readiness_probe"`
	Migration         bool         `json:"migration"`
	TolerationSeconds *int32       `json:"toleration_seconds"`
}

type v2Instance struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	NodeID   string `json:"node_id"`
	GroupID  string `json:"group_id"`
	State    string `json:"state"`
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	Restarts int64  `json:"restarts"`
	v2AppResponse
}

func toV2Create(r *CreateRequest) v2CreateBody {
	return v2CreateBody{Deployment: v2Create{
		Name: r.Name, Description: r.Description, NodeIDs: nonNil(r.NodeIDs), GroupID: r.GroupID,
		App: toV2App(r.Deployment.Template, r.GroupID, true),
	}}
}

func toV2Update(r *UpdateRequest) v2UpdateBody {
	body := v2UpdateBody{Description: r.Description}
	if r.Deployment != nil {
		app := toV2App(r.Deployment.Template, r.GroupID, false)
		body.Deployment = &app
	}
	return body
}

// toV2App converts the first container: v2 has no others. An update has no name
// and version. In a node group, migration is mandatory.
func toV2App(t Template, groupID string, named bool) v2App {
	var c Container
	if len(t.Containers) > 0 {
		c = t.Containers[0]
	}
	app := v2App{
		ImageURL: c.ImageURL, Command: c.Command, Args: c.Args,
		Envs: nonNil(c.Envs), Volumes: nonNil(c.Volumes), Resources: toV2Resources(c.Resources),
		Configs: &v2Configs{
			Privileged: c.Privileged, HostNetwork: t.Configs.HostNetwork, RestartPolicy: t.Configs.RestartPolicy,
			Ports: c.Ports, RunAsUser: c.RunAsUser, HostPID: t.Configs.HostPID, DNSPolicy: t.Configs.DNSPolicy,
		},
		LivenessProbe: toV2Probe(c.LivenessProbe), ReadinessProbe: toV2Probe(c.ReadinessProbe),
		TolerationSeconds: t.Configs.TolerationSeconds,
	}
	if groupID != "" || t.Configs.Migration {
		app.Migration = &t.Configs.Migration
	}
	if named {
		app.Name, app.Version = c.Name, c.Version
	}
	return app
}

func toV2Resources(r *Resources) *v2Resources {
	if r == nil {
		return nil
	}
	return &v2Resources{Limits: toNumbers(r.Limits), Requests: toNumbers(r.Requests)}
}

func toNumbers(amounts map[string]string) map[string]json.Number {
	if len(amounts) == 0 {
		return nil
	}
	out := make(map[string]json.Number, len(amounts))
	for name, amount := range amounts {
		out[name] = json.Number(amount)
	}
	return out
}

func toV2Probe(p *Probe) *v2Probe {
	if p == nil {
		return nil
	}
	out := &v2Probe{HTTPGet: p.HTTPGet, InitialDelaySeconds: p.InitialDelaySeconds, TimeoutSeconds: p.TimeoutSeconds}
	if p.Exec != nil {
		out.ExecCommand = p.Exec.Command
	}
	return out
}

// fromV2 converts a response of v2 to the types of v3. v2 returns the node
// group and the node of each instance, not of the deployment.
func fromV2(d *v2Deployment) *Deployment {
	out := &Deployment{
		ID: d.ID, Name: d.Name, Description: d.Description, ProjectID: d.ProjectID,
		CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt, APIVersion: string(V2),
		NodeIDs: d.NodeIDs, GroupID: d.GroupID, Replicas: 1,
	}
	app, name := d.v2AppResponse, ""
	for _, instance := range d.Instances {
		own := instance.v2AppResponse
		if own.ImageURL == "" { // the response to an update has it once, next to the instances
			own = d.v2AppResponse
		}
		if app.ImageURL == "" {
			app = own
		}
		if name == "" {
			name = instance.Name
		}
		if out.GroupID == "" {
			out.GroupID = instance.GroupID
		}
		if len(out.NodeIDs) == 0 && instance.NodeID != "" {
			out.NodeIDs = []string{instance.NodeID}
		}
		if strings.EqualFold(instance.State, StateRunning) {
			out.ReadyReplicas++
		}
		out.Instances = append(out.Instances, fromV2Instance(d.ID, instance, own))
	}
	if out.GroupID != "" {
		// The group has chosen the node; the request did not name it.
		out.NodeIDs = nil
	}
	if app.ImageURL != "" {
		template := fromV2App(name, app)
		out.Template = &template
	}
	return out
}

func fromV2Instance(deploymentID string, i v2Instance, app v2AppResponse) Pod {
	template := fromV2App(i.Name, app)
	return Pod{
		ID: i.ID, Name: i.Name, NodeID: i.NodeID, DeploymentID: deploymentID,
		State: i.State, Reason: i.Reason, Message: i.Message, Configs: &template.Configs,
		Containers: []PodContainer{{Container: template.Containers[0], Restarts: i.Restarts}},
	}
}

func fromV2App(name string, app v2AppResponse) Template {
	configs := v2Configs{}
	if app.Configs != nil {
		configs = *app.Configs
	}
	return Template{
		Configs: PodConfigs{
			HostNetwork: configs.HostNetwork, HostPID: configs.HostPID, Migration: app.Migration,
			RestartPolicy: configs.RestartPolicy, TolerationSeconds: app.TolerationSeconds, DNSPolicy: configs.DNSPolicy,
		},
		Containers: []Container{{
			Name: name, ImageURL: app.ImageURL, Version: app.Version, Command: app.Command, Args: app.Args,
			Resources: fromV2Resources(app.Resources), Envs: app.Envs, Volumes: app.Volumes, Ports: configs.Ports,
			Privileged: configs.Privileged, RunAsUser: configs.RunAsUser,
			LivenessProbe: fromV2Probe(app.LivenessProbe), ReadinessProbe: fromV2Probe(app.ReadinessProbe),
		}},
	}
}

func fromV2Resources(r *v2Resources) *Resources {
	if r == nil {
		return nil
	}
	return &Resources{Limits: fromNumbers(r.Limits), Requests: fromNumbers(r.Requests)}
}

func fromNumbers(amounts map[string]json.Number) map[string]string {
	if len(amounts) == 0 {
		return nil
	}
	out := make(map[string]string, len(amounts))
	for name, amount := range amounts {
		out[name] = amount.String()
	}
	return out
}

func fromV2Probe(p *v2Probe) *Probe {
	if p == nil {
		return nil
	}
	out := &Probe{HTTPGet: p.HTTPGet, InitialDelaySeconds: p.InitialDelaySeconds, TimeoutSeconds: p.TimeoutSeconds}
	if p.ExecCommand != "" {
		out.Exec = &Exec{Command: p.ExecCommand}
	}
	return out
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
