package category

import (
	"slices"
	"strings"
)

// The categories of attributes, as the table below has them.
var (
	none     = []Category{} // a change, and nothing else
	grant    = []Category{Granted}
	code     = []Category{Code}
	pods     = []Category{Code, Restarted}
	route    = []Category{Routed}
	secret   = []Category{Secret}
	grantKey = []Category{Granted, Secret}
	restart  = []Category{Restarted}
	release  = []Category{Released}
	routeKey = []Category{Routed, Secret}
	text     = []Category{Granted, Code, Restarted}
	textKey  = []Category{Granted, Code, Restarted, Secret}
	podKey   = []Category{Code, Restarted, Secret}
	sight    = []Category{Granted, Routed}         // who can read requests
	receiver = []Category{Granted, Routed, Secret} // who proves to be the one that gets requests
	identity = []Category{Granted, Routed, Secret} // who may act as a domain, or for it, and so read what it may
)

// OnlyInState are the attributes of all types that no request has and on which nothing acts: an update of
// them alone is one of the state.
var OnlyInState = []string{
	"allow_removal_of", "check_application", "follow_app_image", "force_conflicts", "force_destroy", "instance_revision", "progress_deadline",
	"promote_on_destroy", "rollout_complete", "timeouts", "wait_for_deploy_token", "wait_for_healthy", "wait_for_ready", "wait_for_rollout",
}

// byServer are the attributes that only the server or the provider sets, by type; those of "" are
// of all types. That one is known after apply says nothing.
var byServer = map[string][]string{
	"":                       {"id", "rollout_complete", "create_time", "created_at", "status", "author", "complete", "revision", "project_id"},
	"kuscia_app_image":       {"definition_revision", "rollout_revision"},
	"kuscia_domain":          {"annotations", "cert_fingerprint"},
	"kuscia_domain_route":    {"name"},
	"kuscia_serving":         {"endpoints", "parties.*.pod_revision"},
	"kuscia_deployment":      {"parties.*.pod_revision"},
	"kuscia_edge_deployment": {"instance_revision"},
	"kuscia_rollout":         {"next_release"},
}

// ServerDefaults are the attributes that the server sets in a new object, by type, if the configuration
// does not: that one is known after apply then says nothing.
var ServerDefaults = map[string][]string{
	"kuscia_domain":             {"auth_center", "cert"},
	"kuscia_domain_data":        {"domaindata_id", "name"},
	"kuscia_domain_data_grant":  {"domaindatagrant_id"},
	"kuscia_domain_data_source": {"datasource_id"},
	"kuscia_edge_deployment":    {"instance_id", "source"},
}

// table has the categories of the attributes of each type. A key of a map and an index of a list
// is *. What is below an attribute has its categories, unless it has its own.
var table = map[string]map[string][]Category{
	"kuscia_app_image": {
		"":                            code, // whatever decides which program runs, and how
		"name":                        code,
		"definition_revision":         none, // follow from the others
		"rollout_revision":            none,
		"deploy_templates.*.replicas": none, // of parties that are created without a number
	},
	"kuscia_serving": {
		"serving_id":                      none,
		"initiator":                       none,
		"affinity_mode":                   none,
		"serving_input_config":            text,
		"serving_input_config_wo":         textKey,
		"serving_input_config_wo_version": textKey,
		"redeploy_triggers":               restart,
		"replace_triggers":                none,
		"endpoints":                       none,
		"parties":                         code, // a party runs in a domain
		"parties.*.app_image":             pods,
		"parties.*.image":                 pods,
		"parties.*.resources":             pods,
		"parties.*.container_resources":   pods,
		"parties.*.update_strategy":       code,
		"parties.*.replicas":              none,
		"parties.*.pod_revision":          restart,
		"parties.*.service_name_prefix":   none,
	},
	"kuscia_deployment": {
		"name":                          none,
		"initiator":                     none,
		"affinity_mode":                 none,
		"labels":                        none,
		"input_config":                  text,
		"input_config_wo":               textKey,
		"input_config_wo_version":       textKey,
		"parties":                       code,
		"parties.*.app_image":           pods,
		"parties.*.image":               pods,
		"parties.*.containers":          pods,
		"parties.*.update_strategy":     code,
		"parties.*.replicas":            none,
		"parties.*.pod_revision":        restart,
		"parties.*.service_name_prefix": none,
	},
	"kuscia_edge_deployment": {
		"":                                     pods, // the whole template is sent with any change of it
		"name":                                 none,
		"description":                          none,
		"instance_id":                          restart,
		"project_id":                           none,
		"api_version":                          restart,
		"tags":                                 restart,
		"replicas":                             restart,
		"toleration_seconds":                   restart,
		"migration":                            restart,
		"affinity":                             pods,
		"containers.*.envs.*.value":            podKey,
		"containers.*.envs.*.value_wo":         podKey,
		"containers.*.envs.*.value_wo_version": podKey,
		"init_containers.*.envs.*.value":       podKey,
		"init_containers.*.envs.*.value_wo":    podKey,
		"init_containers.*.envs.*.value_wo_version": podKey,
	},
	"kuscia_domain": {
		"domain_id":                    none,
		"annotations":                  none,
		"cert":                         grantKey, // who has its key acts as the domain
		"cert_fingerprint":             none,     // follows from cert
		"auth_center":                  identity, // how its nodes are authenticated
		"auth_center.token_gen_method": routeKey,
		"role":                         route,
		"master_domain_id":             identity, // who controls the domain: its pods, its nodes and its grants
	},
	"kuscia_domain_data": {
		"":                           grant, // what those who have a grant can read
		"name":                       none,
		"author":                     none,
		"vendor":                     none,
		"status":                     none,
		"columns.*.comment":          none,
		"partition.fields.*.comment": none,
	},
	"kuscia_domain_data_grant": {
		"":            grant,
		"author":      none,
		"description": none,
	},
	"kuscia_domain_data_source": {
		"":                                  grant, // where granted data is, and as whom it is read
		"name":                              none,
		"database.password":                 secret,
		"database.password_wo":              secret,
		"database.password_wo_version":      secret,
		"oss.access_key_id":                 secret,
		"oss.access_key_id_wo":              secret,
		"oss.access_key_id_wo_version":      secret,
		"oss.access_key_secret":             secret,
		"oss.access_key_secret_wo":          secret,
		"oss.access_key_secret_wo_version":  secret,
		"odps.access_key_id":                secret,
		"odps.access_key_id_wo":             secret,
		"odps.access_key_id_wo_version":     secret,
		"odps.access_key_secret":            secret,
		"odps.access_key_secret_wo":         secret,
		"odps.access_key_secret_wo_version": secret,
	},
	"kuscia_config": {
		"": grantKey, // it may have the access information of data sources
	},
	"kuscia_domain_route": {
		"":                                      route,
		"name":                                  none,
		"authentication_type":                   identity, // without any, whoever reaches the destination is the source
		"body_encryption":                       sight,
		"endpoint.host":                         sight, // as a transit does, another host gets the requests
		"transit":                               sight, // its gateway passes the requests on, in plain text unless bodies are encrypted
		"transit.transit_method":                route,
		"mtls_config.tls_ca":                    receiver,
		"mtls_config.source_client_cert":        routeKey,
		"mtls_config.source_client_private_key": routeKey,
		"mtls_config.source_client_private_key_wo":         routeKey,
		"mtls_config.source_client_private_key_wo_version": routeKey,
	},
	"kuscia_rollout":          {"": release},
	"kuscia_traffic_routing":  {"": release},
	"kuscia_rollout_approval": {"": release, "complete": none, "revision": none},
}

// ends has the categories of the end of an object that others may name, in this configuration and in others: what
// is created under its name is theirs from then on, and a plan of a create cannot say who names it.
var ends = map[string][]Category{
	"kuscia_app_image":          code,
	"kuscia_config":             grant,
	"kuscia_domain":             grant,
	"kuscia_domain_data":        grant,
	"kuscia_domain_data_source": grant,
	"kuscia_domain_route":       grant, // requests go to it
}

// OfEnd returns the categories of the end of an object of a type, nil if nobody else names it.
func OfEnd(kind string) []Category { return ends[kind] }

// removals has the categories of the fields that the KusciaAPI does not carry, by type: a change of an object
// may remove them, if allow_removal_of names them, and no plan shows them. The one of "" is any other field,
// as of a newer Kuscia.
var removals = map[string]map[string][]Category{
	"kuscia_app_image": {
		"":                                             code,
		"deployTemplates.networkPolicy":                code,
		"deployTemplates.spec.affinity":                code,
		inContainers + "securityContext":               code,
		inContainers + "metricProbe":                   code,
		inContainers + "ports.port":                    code,
		inContainers + "env.valueFrom":                 code,
		inContainers + "resources":                     code,
		inContainers + "livenessProbe":                 code,
		inContainers + "readinessProbe":                code,
		inContainers + "startupProbe":                  code,
		inContainers + "envFrom.configMapRef.optional": code,
		inContainers + "envFrom.secretRef.optional":    code,
	},
	"kuscia_serving": {
		"":                               code,
		"parties.template.spec.affinity": code,
		"parties.template.spec.containers.resources": code,
	},
	"kuscia_deployment": {
		"":                               code,
		"parties.template.spec.affinity": code,
	},
	"kuscia_domain": {
		"":                     {Granted, Code, Routed},
		"resourceQuota":        code, // how much may run there
		"interConnProtocols":   route,
		"metadata.annotations": none,
		"metadata.labels":      none,
	},
	"kuscia_domain_data": {
		"":                              grant,
		"fileFormat":                    grant,
		"partitions.fields.notNullable": grant,
	},
	"kuscia_domain_data_grant": {
		"":                grant,
		"limit.initiator": grant,
		"limit.grantMode": grant,
		"signature":       grant,
		"description":     none,
	},
	"kuscia_domain_route": {
		"":                    sight,
		"sourceWhiteIPList":   sight, // from where the domain is reached
		"requestHeadersToAdd": sight, // by which a destination may tell who sends
		"interConnProtocol":   route,
		"metadata.labels":     route,
	},
}

const inContainers = "deployTemplates.spec.containers."

// OfRemoval returns the categories of a change of an object that may remove a field which no plan shows, and
// whether this program knows the field.
func OfRemoval(kind, field string) (categories []Category, ok bool) {
	if categories, ok = removals[kind][field]; ok && field != "" {
		return categories, true
	}
	return removals[kind][""], false
}

// Knows reports whether this program knows a type.
func Knows(kind string) bool { return table[kind] != nil }

// Of returns the categories of a change of an attribute of a type. whole is whether all that is
// below it may change too, in a way that is not known. ok is false for an attribute that this
// program does not know: such a change may be anything.
func Of(kind string, path []string, whole bool) (categories []Category, ok bool) {
	attributes, known := table[kind]
	if !known || len(path) == 0 {
		return nil, false
	}
	if slices.Contains(OnlyInState, path[0]) || slices.Contains(byServer[""], path[0]) {
		return none, true
	}
	categories, ok = attributes[""]
	longest := -1
	for pattern, found := range attributes {
		if n, is := fits(pattern, path); is && n > longest {
			categories, ok, longest = found, true, n
		}
	}
	if whole {
		for pattern, found := range attributes {
			if _, is := fits(pattern, path); !is && isBelow(pattern, path) {
				categories = Add(slices.Clip(categories), found...)
			}
		}
	}
	return categories, ok
}

// fits reports whether a pattern is that of a path or of what it is in, and how many keys it has.
func fits(pattern string, path []string) (keys int, is bool) {
	for key := range strings.SplitSeq(pattern, ".") {
		if keys >= len(path) || key != "*" && key != path[keys] {
			return 0, false
		}
		keys++
	}
	return keys, true
}

// isBelow reports whether a pattern is that of something in a path.
func isBelow(pattern string, path []string) bool {
	keys := strings.Split(pattern, ".")
	if len(keys) <= len(path) {
		return false
	}
	_, is := fits(strings.Join(keys[:len(path)], "."), path)
	return is
}

// ByServer reports whether only the server or the provider sets an attribute, or it may do so in a new
// object.
func ByServer(kind string, path []string, isNew bool) bool {
	patterns := slices.Concat(byServer[""], byServer[kind])
	if isNew {
		patterns = append(patterns, ServerDefaults[kind]...)
	}
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		_, is := fits(pattern, path)
		return is
	})
}
