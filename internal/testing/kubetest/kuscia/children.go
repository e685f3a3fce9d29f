package kuscia

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// makeChildren creates missing objects, Services first, and keeps the
// Deployments as specified. Services and ConfigMaps are never changed.
func (c *Controller) makeChildren(ctx context.Context, kd *Deployment, kits []*partyKit) error {
	for _, k := range kits {
		for _, port := range slices.Sorted(maps.Keys(k.services)) {
			service := k.service(kd, port)
			if err := ensure(ctx, c.objects, kubernetes.Services, service, k.deployment, "service"); err != nil {
				return &failure{reason: "CreateServiceFailed", err: err}
			}
		}
	}
	for _, k := range kits {
		if len(k.image.Spec.ConfigTemplates) == 0 {
			continue
		}
		if err := ensure(ctx, c.objects, kubernetes.ConfigMaps, k.configMap(kd), k.deployment, "configmap"); err != nil {
			return &failure{reason: "CreateConfigMapFailed", err: err}
		}
	}
	for _, k := range kits {
		if err := c.ensureDeployment(ctx, kd, k); err != nil {
			return err
		}
	}
	return nil
}

// ensure creates an object, unless this Deployment already has one.
func ensure[T any, P interface {
	*T
	metav1.Object
}](ctx context.Context, objects *controller.Objects, kind controller.Kind[T], desired *T, deployment, what string) error {
	meta := P(desired)
	there, err := kind.Cached(objects, meta.GetNamespace(), meta.GetName())
	if err == nil && there == nil {
		there, err = kind.Live(ctx, objects, meta.GetNamespace(), meta.GetName())
	}
	if err != nil {
		return err
	}
	if there != nil {
		if P(there).GetLabels()[labelDeployment] != deployment {
			return fmt.Errorf("domain %s %s %s already exist, please ensure that the %s name can't be duplicated", meta.GetNamespace(), what, meta.GetName(), what)
		}
		return nil
	}
	if _, err := kind.Create(ctx, objects, desired); err != nil {
		return fmt.Errorf("failed to create %s %v/%v for deployment %v, %w", what, meta.GetNamespace(), meta.GetName(), deployment, err)
	}
	return nil
}

func (c *Controller) ensureDeployment(ctx context.Context, kd *Deployment, k *partyKit) error {
	there, err := kubernetes.Deployments.Cached(c.objects, k.party.DomainID, k.deployment)
	if err == nil && there == nil {
		there, err = kubernetes.Deployments.Live(ctx, c.objects, k.party.DomainID, k.deployment)
	}
	if err != nil {
		return err
	}
	if there == nil {
		if _, err := kubernetes.Deployments.Create(ctx, c.objects, k.newDeployment(kd)); err != nil {
			return &failure{reason: "CreateDeploymentFailed", err: fmt.Errorf("failed to create deployment %v/%v for deployment %v, %w", k.party.DomainID, k.deployment, k.deployment, err)}
		}
		return nil
	}
	if there.Labels[labelName] != kd.Name {
		return &failure{reason: "CreateDeploymentFailed", err: fmt.Errorf("domain %s deployment %s already exist, please ensure that the deployment name can't be duplicated", k.party.DomainID, there.Name)}
	}
	changed := there.DeepCopy()
	k.change(kd, changed)
	if equality.Semantic.DeepEqual(there, changed) {
		return nil
	}
	if _, err := kubernetes.Deployments.Update(ctx, c.objects, changed); err != nil {
		return fmt.Errorf("failed to update deployment %v/%v, %w", there.Namespace, there.Name, err)
	}
	return nil
}

func (k *partyKit) labels(kd *Deployment) map[string]string {
	return map[string]string{
		labelController: "KusciaDeployment", labelUID: string(kd.UID), labelName: kd.Name,
		labelOwnerNamespace: kd.Namespace, labelDeployment: k.deployment,
	}
}

func (k *partyKit) service(kd *Deployment, port string) *core.Service {
	const seconds = 10800
	labels := k.labels(kd)
	labels["kuscia.secretflow/port-scope"] = k.ports[port].Scope
	if k.ports[port].Scope == scopeCluster {
		labels["kuscia.secretflow/loadbalancer"] = "domainroute"
	}
	return &core.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: k.party.DomainID, Name: k.services[port], Labels: labels,
			Annotations: map[string]string{ //nolint:gosec // names of annotations, no credentials
				annotationInitiator:                       kd.Spec.Initiator,
				"kuscia.secretflow/protocol":              k.ports[port].Protocol,
				"kuscia.secretflow/access-domain":         k.access[port],
				"kuscia.secretflow/sticky-session-cookie": "KUSCIA_SESSION",
				"kuscia.secretflow/sticky-session-ttl":    strconv.Itoa(seconds) + "s",
			},
		},
		Spec: core.ServiceSpec{
			Type: core.ServiceTypeClusterIP, ClusterIP: core.ClusterIPNone, SessionAffinity: core.ServiceAffinityNone,
			Selector: map[string]string{labelDeployment: k.deployment},
			Ports: []core.ServicePort{{
				Name: port, Port: k.ports[port].Port, Protocol: core.ProtocolTCP, TargetPort: intstr.FromString(port),
			}},
		},
	}
}

func (k *partyKit) configMap(kd *Deployment) *core.ConfigMap {
	return &core.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: k.party.DomainID, Name: k.deployment + "-configtemplate", Labels: k.labels(kd),
			Annotations: map[string]string{annotationInitiator: kd.Spec.Initiator},
		},
		Data: k.image.Spec.ConfigTemplates,
	}
}

func (k *partyKit) newDeployment(kd *Deployment) *apps.Deployment {
	labels := k.labels(kd)
	labels["kuscia.secretflow/communication-role-server"] = "true"
	labels["kuscia.secretflow/communication-role-client"] = "true"
	if kind := kd.Labels[labelAppType]; kind != "" {
		labels[labelAppType] = kind
	}
	d := &apps.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: k.party.DomainID, Name: k.deployment, Labels: labels,
			Annotations: map[string]string{annotationInitiator: kd.Spec.Initiator},
		},
		Spec: apps.DeploymentSpec{
			Replicas: k.template.Replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: core.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: map[string]string{}},
				Spec: core.PodSpec{
					Affinity:                     k.affinity(kd),
					Tolerations:                  []core.Toleration{{Key: "kuscia.secretflow/agent", Operator: core.TolerationOpExists, Effect: core.TaintEffectNoSchedule}},
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
		d.Spec.Template.Annotations["kuscia.secretflow/image-id"] = id
	}
	for _, container := range k.template.Spec.Containers {
		k.addContainer(kd, &d.Spec.Template, container)
	}
	return d
}

func (k *partyKit) addContainer(kd *Deployment, pod *core.PodTemplateSpec, of Container) {
	c := core.Container{
		Name: of.Name, Image: k.imageReference(), Command: of.Command, Args: of.Args, WorkingDir: of.WorkingDir,
		EnvFrom: of.EnvFrom, Resources: of.Resources, ImagePullPolicy: of.ImagePullPolicy, SecurityContext: of.SecurityContext,
		LivenessProbe: of.LivenessProbe, ReadinessProbe: of.ReadinessProbe, StartupProbe: of.StartupProbe,
		TerminationMessagePolicy: core.TerminationMessageFallbackToLogsOnError,
	}
	for _, port := range of.Ports {
		c.Ports = append(c.Ports, core.ContainerPort{Name: port.Name, ContainerPort: k.ports[port.Name].Port, Protocol: core.ProtocolTCP})
	}
	c.Env = append(slices.Clone(of.Env),
		core.EnvVar{Name: "KUSCIA_DOMAIN_ID", Value: k.party.DomainID},
		core.EnvVar{Name: "CLUSTER_DEFINE", Value: k.clusterDefine},
		core.EnvVar{Name: "ALLOCATED_PORTS", Value: k.allocatedPorts},
		core.EnvVar{Name: "INPUT_CONFIG", Value: kd.Spec.InputConfig},
	)
	for _, name := range slices.Sorted(maps.Keys(k.ports)) {
		variable := "KUSCIA_PORT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_NUMBER"
		c.Env = append(c.Env, core.EnvVar{Name: variable, Value: strconv.Itoa(int(k.ports[name].Port))})
	}
	if kd.Labels[labelAppType] == "serving" {
		c.Env = append(c.Env, core.EnvVar{Name: "SERVING_ID", Value: kd.Name})
	}
	if len(of.ConfigVolumeMounts) > 0 && len(k.image.Spec.ConfigTemplates) > 0 {
		const volume = "config-template"
		for _, mount := range of.ConfigVolumeMounts {
			c.VolumeMounts = append(c.VolumeMounts, core.VolumeMount{Name: volume, MountPath: mount.MountPath, SubPath: mount.SubPath})
		}
		pod.Annotations["kuscia.secretflow/config-template-volumes"] = volume
		if len(pod.Spec.Volumes) == 0 {
			pod.Spec.Volumes = []core.Volume{{Name: volume, VolumeSource: core.VolumeSource{ConfigMap: &core.ConfigMapVolumeSource{
				LocalObjectReference: core.LocalObjectReference{Name: k.deployment + "-configtemplate"},
			}}}}
		}
	}
	pod.Spec.Containers = append(pod.Spec.Containers, c)
}

func (k *partyKit) imageReference() string {
	return k.image.Spec.Image.Name + ":" + k.image.Spec.Image.Tag
}

// change updates an existing Deployment: replicas and strategy if the party
// sets them, image, resources, configuration. It ignores the rest of the app
// image.
func (k *partyKit) change(kd *Deployment, d *apps.Deployment) {
	if replicas := k.party.Template.Replicas; replicas != nil {
		d.Spec.Replicas = replicas
	}
	if strategy := k.party.Template.Strategy; strategy != nil && !reflect.DeepEqual(*strategy, d.Spec.Strategy) {
		d.Spec.Strategy = *strategy
	}
	pod := &d.Spec.Template.Spec
	if k.party.Template.Spec.Affinity != nil || pod.Affinity == nil {
		pod.Affinity = k.affinity(kd)
	}
	for i := range pod.Containers {
		c := &pod.Containers[i]
		c.Image = k.imageReference()
		for _, desired := range k.template.Spec.Containers {
			if desired.Name == c.Name && !reflect.DeepEqual(desired.Resources, c.Resources) {
				c.Resources = desired.Resources
			}
		}
		for j := range c.Env {
			if c.Env[j].Name == "INPUT_CONFIG" {
				c.Env[j].Value = kd.Spec.InputConfig
			}
		}
	}
}

// affinity returns the affinity of the party, or the default that spreads the
// pods of a Deployment.
func (k *partyKit) affinity(kd *Deployment) *core.Affinity {
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{labelDeployment: k.deployment}}
	if given := k.party.Template.Spec.Affinity; given != nil {
		made := given.DeepCopy()
		if made.PodAntiAffinity != nil {
			selectPods(made.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, made.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution, selector)
		}
		if made.PodAffinity != nil {
			selectPods(made.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, made.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution, selector)
		}
		return made
	}
	if kd.Annotations[annotationAffinityMode] == "none" {
		return nil
	}
	return &core.Affinity{PodAntiAffinity: &core.PodAntiAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []core.WeightedPodAffinityTerm{{
			Weight: 100, PodAffinityTerm: core.PodAffinityTerm{LabelSelector: selector, TopologyKey: "kubernetes.io/hostname"},
		}},
	}}
}

func selectPods(required []core.PodAffinityTerm, preferred []core.WeightedPodAffinityTerm, selector *metav1.LabelSelector) {
	for i := range required {
		required[i].LabelSelector = selector
	}
	for i := range preferred {
		preferred[i].PodAffinityTerm.LabelSelector = selector
	}
}
