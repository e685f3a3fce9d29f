package kusciadeployment

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// makeChildren creates missing objects, Services first, and keeps the Deployments as
// specified. Services and ConfigMaps are never changed. The first refused object ends
// the pass.
func (c Controller) makeChildren(kd *objects.KusciaDeployment, kits []*partyKit) error {
	for _, k := range kits {
		for _, port := range slices.Sorted(maps.Keys(k.services)) {
			if err := c.ensureService(k, k.service(kd, port)); err != nil {
				return &failure{"CreateServiceFailed", err}
			}
		}
	}
	for _, k := range kits {
		if len(k.image.Spec.ConfigTemplates) == 0 {
			continue
		}
		if err := c.ensureConfigMap(k, k.configMap(kd)); err != nil {
			return &failure{"CreateConfigMapFailed", err}
		}
	}
	for _, k := range kits {
		if err := c.ensureDeployment(kd, k); err != nil {
			return err
		}
	}
	return nil
}

func (c Controller) ensureService(k *partyKit, desired *objects.Service) error {
	there, err := c.Service(desired.Meta.Namespace, desired.Meta.Name)
	if err != nil {
		return err
	}
	if there != nil {
		return k.owns(there.Meta, "service")
	}
	return k.creating("service", desired.Meta, c.CreateService(desired))
}

func (c Controller) ensureConfigMap(k *partyKit, desired *objects.ConfigMap) error {
	there, err := c.ConfigMap(desired.Meta.Namespace, desired.Meta.Name)
	if err != nil {
		return err
	}
	if there != nil {
		return k.owns(there.Meta, "configmap")
	}
	return k.creating("configmap", desired.Meta, c.CreateConfigMap(desired))
}

// owns returns an error for an object of another Deployment.
func (k *partyKit) owns(there objects.Meta, what string) error {
	if there.Labels[objects.LabelDeployment] == k.deployment {
		return nil
	}
	return fmt.Errorf("domain %s %s %s already exist, please ensure that the %s name can't be duplicated", there.Namespace, what, there.Name, what)
}

func (k *partyKit) creating(what string, meta objects.Meta, err error) error {
	if err != nil {
		return fmt.Errorf("failed to create %s %v/%v for deployment %v, %w", what, meta.Namespace, meta.Name, k.deployment, err)
	}
	return nil
}

// ensureDeployment creates or updates a Deployment. A refused update is not reported
// in the status, it is repeated.
func (c Controller) ensureDeployment(kd *objects.KusciaDeployment, k *partyKit) error {
	there, err := c.Deployment(k.party.DomainID, k.deployment)
	if err != nil {
		return err
	}
	if there == nil {
		made := k.newDeployment(kd)
		if err := k.creating("deployment", made.Meta, c.CreateDeployment(made)); err != nil {
			return &failure{"CreateDeploymentFailed", err}
		}
		return nil
	}
	if there.Meta.Labels[objects.LabelName] != kd.Meta.Name {
		return &failure{"CreateDeploymentFailed", fmt.Errorf("domain %s deployment %s already exist, please ensure that the deployment name can't be duplicated", k.party.DomainID, there.Meta.Name)}
	}
	changed, ok := k.change(kd, there)
	if !ok {
		return nil
	}
	if err := c.UpdateDeployment(there, changed); err != nil {
		return fmt.Errorf("failed to update deployment %v/%v, %w", there.Meta.Namespace, there.Meta.Name, err)
	}
	return nil
}

func (k *partyKit) meta(kd *objects.KusciaDeployment, name string) objects.Meta {
	meta := objects.Meta{
		Namespace: k.party.DomainID, Name: name,
		Labels: map[string]string{
			objects.LabelController: "KusciaDeployment", objects.LabelUID: kd.Meta.UID, objects.LabelName: kd.Meta.Name,
			objects.LabelDeployment: k.deployment,
		},
		Annotations: map[string]string{annotationInitiator: kd.Spec.Initiator},
	}
	if kd.Meta.Namespace != "" {
		meta.Labels[objects.LabelOwnerNamespace] = kd.Meta.Namespace
	}
	return meta
}

func (k *partyKit) service(kd *objects.KusciaDeployment, port string) *objects.Service {
	const seconds = 10800
	meta := k.meta(kd, k.services[port])
	meta.Labels[objects.LabelPortScope] = k.ports[port].Scope
	if k.ports[port].Scope == objects.ScopeCluster {
		meta.Labels["kuscia.secretflow/loadbalancer"] = "domainroute"
	}
	meta.Annotations["kuscia.secretflow/protocol"] = k.ports[port].Protocol
	meta.Annotations["kuscia.secretflow/access-domain"] = k.access[port]
	meta.Annotations["kuscia.secretflow/sticky-session-cookie"] = "KUSCIA_SESSION"
	meta.Annotations["kuscia.secretflow/sticky-session-ttl"] = strconv.Itoa(seconds) + "s"
	return &objects.Service{
		Meta: meta,
		Spec: objects.ServiceSpec{
			Type: "ClusterIP", ClusterIP: "None", SessionAffinity: "None",
			Selector: map[string]string{objects.LabelDeployment: k.deployment},
			Ports:    []objects.ServicePort{{Name: port, Port: k.ports[port].Port, Protocol: "TCP", TargetPort: intstr.FromString(port)}},
		},
	}
}

func (k *partyKit) configMap(kd *objects.KusciaDeployment) *objects.ConfigMap {
	return &objects.ConfigMap{Meta: k.meta(kd, k.deployment+"-configtemplate"), Data: k.image.Spec.ConfigTemplates}
}

func (k *partyKit) newDeployment(kd *objects.KusciaDeployment) *objects.Deployment {
	meta := k.meta(kd, k.deployment)
	meta.Labels["kuscia.secretflow/communication-role-server"] = "true"
	meta.Labels["kuscia.secretflow/communication-role-client"] = "true"
	if kind := kd.Meta.Labels[objects.LabelAppType]; kind != "" {
		meta.Labels[objects.LabelAppType] = kind
	}
	d := &objects.Deployment{
		Meta: meta,
		Spec: objects.DeploymentSpec{
			Replicas: k.template.Replicas, Selector: &objects.LabelSelector{MatchLabels: meta.Labels},
			Template: objects.PodTemplate{
				Meta: objects.Meta{Labels: meta.Labels, Annotations: map[string]string{}},
				Spec: objects.PodSpec{
					Affinity:                     k.affinity(kd),
					Tolerations:                  []objects.Toleration{{Key: "kuscia.secretflow/agent", Operator: "Exists", Effect: "NoSchedule"}},
					NodeSelector:                 map[string]string{"kuscia.secretflow/namespace": k.party.DomainID},
					SchedulerName:                "kuscia-scheduler",
					AutomountServiceAccountToken: new(false),
				},
			},
		},
	}
	if k.template.Strategy != nil {
		d.Spec.Strategy = *k.template.Strategy
	}
	if id := k.image.Spec.Image.ID; id != "" {
		d.Spec.Template.Meta.Annotations["kuscia.secretflow/image-id"] = id
	}
	for _, container := range k.template.Spec.Containers {
		k.addContainer(kd, &d.Spec.Template, container)
	}
	return d
}

// inputConfig is the environment variable with the configuration.
const inputConfig = "INPUT_CONFIG"

func (k *partyKit) addContainer(kd *objects.KusciaDeployment, pod *objects.PodTemplate, of objects.Container) {
	c := objects.PodContainer{
		Name: of.Name, Image: k.image.Spec.Image.Reference(), Command: of.Command, Args: of.Args, WorkingDir: of.WorkingDir,
		EnvFrom: of.EnvFrom, Resources: of.Resources, ImagePullPolicy: of.ImagePullPolicy, SecurityContext: of.SecurityContext,
		LivenessProbe: of.LivenessProbe, ReadinessProbe: of.ReadinessProbe, StartupProbe: of.StartupProbe,
		TerminationMessagePolicy: "FallbackToLogsOnError",
	}
	for _, port := range of.Ports {
		c.Ports = append(c.Ports, objects.ContainerPort{Name: port.Name, ContainerPort: k.ports[port.Name].Port, Protocol: "TCP"})
	}
	c.Env = append(slices.Clone(of.Env),
		objects.EnvVar{Name: "KUSCIA_DOMAIN_ID", Value: k.party.DomainID},
		objects.EnvVar{Name: "CLUSTER_DEFINE", Value: k.clusterDefine},
		objects.EnvVar{Name: "ALLOCATED_PORTS", Value: k.allocatedPorts},
		objects.EnvVar{Name: inputConfig, Value: kd.Spec.InputConfig},
	)
	for _, name := range slices.Sorted(maps.Keys(k.ports)) {
		variable := "KUSCIA_PORT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_NUMBER"
		c.Env = append(c.Env, objects.EnvVar{Name: variable, Value: strconv.Itoa(int(k.ports[name].Port))})
	}
	if kd.Meta.Labels[objects.LabelAppType] == "serving" {
		c.Env = append(c.Env, objects.EnvVar{Name: "SERVING_ID", Value: kd.Meta.Name})
	}
	if len(of.ConfigVolumeMounts) > 0 && len(k.image.Spec.ConfigTemplates) > 0 {
		const volume = "config-template"
		for _, mount := range of.ConfigVolumeMounts {
			c.VolumeMounts = append(c.VolumeMounts, objects.VolumeMount{Name: volume, MountPath: mount.MountPath, SubPath: mount.SubPath})
		}
		pod.Meta.Annotations[objects.AnnotationTemplates] = volume
		if len(pod.Spec.Volumes) == 0 {
			pod.Spec.Volumes = []objects.Volume{{Name: volume, ConfigMap: &objects.ObjectReference{Name: k.deployment + "-configtemplate"}}}
		}
	}
	pod.Spec.Containers = append(pod.Spec.Containers, c)
}

// change returns an existing Deployment as Kuscia wants it: replicas and strategy if
// the party sets them, image, resources, configuration. It ignores the rest of the app
// image.
func (k *partyKit) change(kd *objects.KusciaDeployment, there *objects.Deployment) (changed *objects.Deployment, ok bool) {
	d := *there
	if replicas := k.party.Template.Replicas; replicas != nil && *replicas != d.Spec.Pods() {
		d.Spec.Replicas, ok = replicas, true
	}
	if strategy := k.party.Template.Strategy; strategy != nil && !strategy.Equal(d.Spec.Strategy) {
		d.Spec.Strategy, ok = *strategy, true
	}
	pod := &d.Spec.Template.Spec
	if k.party.Template.Spec.Affinity != nil || pod.Affinity == nil {
		if affinity := k.affinity(kd); !reflect.DeepEqual(affinity, pod.Affinity) {
			pod.Affinity, ok = affinity, true
		}
	}
	pod.Containers = slices.Clone(pod.Containers)
	for i := range pod.Containers {
		c := &pod.Containers[i]
		if image := k.image.Spec.Image.Reference(); c.Image != image {
			c.Image, ok = image, true
		}
		for _, desired := range k.template.Spec.Containers {
			if desired.Name == c.Name && !desired.Resources.Equal(c.Resources) {
				c.Resources, ok = desired.Resources, true
			}
		}
		c.Env = slices.Clone(c.Env)
		for j := range c.Env {
			if c.Env[j].Name == inputConfig && c.Env[j].Value != kd.Spec.InputConfig {
				c.Env[j].Value, ok = kd.Spec.InputConfig, true
			}
		}
	}
	return &d, ok
}

// affinity returns the affinity of the party, or the default that spreads the pods of
// a Deployment.
func (k *partyKit) affinity(kd *objects.KusciaDeployment) *objects.Affinity {
	selector := &objects.LabelSelector{MatchLabels: map[string]string{objects.LabelDeployment: k.deployment}}
	if given := k.party.Template.Spec.Affinity; given != nil {
		return given.Selecting(selector)
	}
	if kd.Meta.Annotations[AnnotationAffinityMode] == "none" {
		return nil
	}
	return &objects.Affinity{PodAntiAffinity: &objects.PodAffinity{
		Preferred: []objects.WeightedAffinityTerm{{
			Weight: 100, PodAffinityTerm: objects.AffinityTerm{LabelSelector: selector, TopologyKey: "kubernetes.io/hostname"},
		}},
	}}
}
