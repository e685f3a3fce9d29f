package faulttest_test

import (
	"maps"
	"slices"
	"strings"
)

// alike are equivalent values of attributes, by type and name; the first of
// each is the one on the server.
var alike = map[string]map[string][][]any{
	"kuscia_domain": {"role": {{nil, ""}}, "wait_for_deploy_token": {{nil, true}}},
	"kuscia_domain_route": {
		"wait_for_ready": {{nil, false}}, "endpoint.host": {{nil, ""}}, "endpoint.ports.is_tls": {{nil, false}}, "endpoint.ports.path_prefix": {{nil, ""}},
		"endpoint.ports.protocol":       {{"HTTP", "http", "Http"}, {"GRPC", "grpc", "Grpc"}},
		"token_config.token_gen_method": {{nil, "RSA-GEN"}}, "token_config.rolling_update_period": {{nil, 0}},
	},
	"kuscia_domain_data_source": {
		"name": {{nil, ""}}, "access_directly": {{nil, false}}, "localfs.path": {{"/data", "/data/", "/data//"}}, "oss.bucket": {{"b", "/b/", "b/"}},
		"oss.prefix": {{nil, "", "/"}, {"p", "/p/"}}, "oss.virtualhost": {{nil, false}}, "oss.version": {{nil, ""}}, "oss.storage_type": {{nil, ""}}, "database.user": {{nil, ""}},
	},
	"kuscia_domain_data": {
		"vendor": {{nil, "manual"}}, "file_format": {{nil, "UNKNOWN"}}, "columns.comment": {{nil, ""}}, "columns.not_nullable": {{nil, false}},
		"partition.fields.comment": {{nil, ""}}, "datasource_id": {{nil, "default-data-source"}},
	},
	"kuscia_domain_data_grant": {
		"signature": {{nil, ""}}, "limit.use_count": {{nil, 0}}, "limit.flow_id": {{nil, ""}}, "limit.initiator": {{nil, ""}}, "limit.input_config": {{nil, ""}},
		"limit.expiration_time": {{"2040-01-31T00:00:00Z", "2040-01-31T08:00:00+08:00", "2040-01-31T00:00:00.000Z"}},
	},
}

// respell returns an equivalent configuration.
func (a generator) respell(one generatedResource) generatedResource {
	config, _ := a.respellValue(one.typeName, "", one.config).(attrs)
	if one.typeName == "kuscia_domain" {
		config["cert"] = a.respelled(config["cert"])
		switch config["master_domain_id"] {
		case nil, "", config["domain_id"]:
			config["master_domain_id"] = pick(a, nil, "", config["domain_id"])
		}
	}
	return generatedResource{one.typeName, one.name, config}
}

func (a generator) respellValue(typeName, at string, value any) any {
	switch value := value.(type) {
	case attrs:
		out := attrs{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			out[name] = a.respellValue(typeName, strings.TrimPrefix(at+"."+name, "."), value[name])
		}
		if value := alike[typeName]; at == "" && value != nil {
			a.respellMissing(typeName, out)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = a.respellValue(typeName, at, value[i])
		}
		return out
	}
	for _, class := range alike[typeName][at] {
		if slices.Contains(class, value) {
			return pick(a, class...)
		}
	}
	return value
}

// respellMissing sets top-level attributes that are left out.
func (a generator) respellMissing(typeName string, config attrs) {
	for _, name := range slices.Sorted(maps.Keys(alike[typeName])) {
		if _, given := config[name]; !given && !strings.Contains(name, ".") {
			config[name] = a.respellValue(typeName, name, nil)
		}
	}
}

// respellAll returns an equivalent configuration of all resources.
func (a generator) respellAll(d generatedConfig) generatedConfig {
	out := generatedConfig{}
	for _, address := range slices.Sorted(maps.Keys(d)) {
		out[address] = a.respell(d[address])
	}
	return out
}
