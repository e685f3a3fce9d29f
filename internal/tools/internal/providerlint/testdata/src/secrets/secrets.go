package secrets

import (
	"maps"

	action "github.com/hashicorp/terraform-plugin-framework/action/schema"
	list "github.com/hashicorp/terraform-plugin-framework/list/schema"
	provider "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

const attrToken = "token"

var good = map[string]schema.Attribute{
	attrToken:                         schema.StringAttribute{Sensitive: true},
	"serving_input_config":            schema.StringAttribute{Optional: true, Computed: true, Sensitive: true},
	"serving_input_config_wo":         schema.StringAttribute{WriteOnly: true},
	"serving_input_config_wo_version": schema.StringAttribute{},
	"token_file":                      schema.StringAttribute{},
	"public_key":                      schema.StringAttribute{},
	"secret_ref":                      schema.ListNestedAttribute{},
	"max_token":                       schema.Int64Attribute{},
	"client_key":                      secret("K."),
	"api_key":                         shared,
	"password":                        &schema.StringAttribute{Sensitive: true},
	"passphrase":                      schema.StringAttribute{Sensitive: decided},
}

var (
	decided = len(attrToken) > 3
	shared  = schema.StringAttribute{Sensitive: true}
	open    = schema.StringAttribute{}
)

func secret(description string) schema.Attribute {
	if description == "" {
		return schema.StringAttribute{WriteOnly: true}
	}
	return schema.StringAttribute{Sensitive: true, Description: description}
}

func half(description string) schema.Attribute {
	if description == "" {
		return schema.StringAttribute{}
	}
	return schema.StringAttribute{Sensitive: true}
}

func text() schema.Attribute { return schema.StringAttribute{} }

func again() schema.Attribute { return again() }

var bad = map[string]schema.Attribute{
	attrToken:                 schema.StringAttribute{},                 // want `attribute "token" is named like a secret`
	"serving_input_config":    schema.StringAttribute{Sensitive: false}, // want `attribute "serving_input_config" is named`
	"serving_input_config_wo": schema.StringAttribute{},                 // want `attribute "serving_input_config_wo" is named`
	"client_key":              text(),                                   // want `attribute "client_key" is named`
	"db_password":             half("x"),                                // want `attribute "db_password" is named`
	"secret":                  open,                                     // want `attribute "secret" is named`
	"credentials":             again(),                                  // want `attribute "credentials" is named`
	"keys":                    schema.ListNestedAttribute{},             // want `attribute "keys" is named`
	"list": schema.ListNestedAttribute{NestedObject: schema.NestedAttributeObject{
		Attributes: map[string]schema.Attribute{
			"passphrase": schema.StringAttribute{}, // want `attribute "passphrase" is named`
		},
	}},
}

func later() map[string]schema.Attribute {
	all := maps.Clone(good)
	hidden := func() schema.Attribute { return schema.StringAttribute{Sensitive: true} }
	all["token"] = hidden()
	all["key"] = schema.StringAttribute{} // want `attribute "key" is named`
	return all
}

var (
	_ = map[string]action.Attribute{"token": action.StringAttribute{}}                 // want `attribute "token" is named`
	_ = map[string]list.Attribute{"token": list.StringAttribute{}}                     // want `attribute "token" is named`
	_ = map[string]provider.Attribute{"token": provider.StringAttribute{}}             // want `attribute "token" is named`
	_ = map[string]identityschema.Attribute{"token": identityschema.StringAttribute{}} // want `attribute "token" is named`
	_ = map[string]string{"token": "of another kind"}
)
