package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// iefValue is the attribute with some strings set.
func iefValue(texts map[string]attr.Value) types.Object {
	attrTypes, values := map[string]attr.Type{}, map[string]attr.Value{}
	for _, name := range iefAttributes {
		attrTypes[name], values[name] = types.StringType, types.StringNull()
		if v, ok := texts[name]; ok {
			values[name] = v
		}
	}
	return types.ObjectValueMust(attrTypes, values)
}

func texts(pairs ...string) types.Object {
	values := map[string]attr.Value{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = types.StringValue(pairs[i+1])
	}
	return iefValue(values)
}

// TestEdgeFabric covers combinations of the block and the environment.
func TestEdgeFabric(t *testing.T) {
	t.Parallel()
	const project = "0123456789abcdef0123456789abcdef"
	complete := map[string]string{"HW_REGION_NAME": "cn-north-4", "HW_PROJECT_ID": project, "HW_ACCESS_KEY": "AK", "HW_SECRET_KEY": "SK"}
	tests := map[string]struct {
		ief     types.Object
		env     map[string]string
		ready   bool
		missing string
		unknown string
	}{
		"nothing":          {ief: iefValue(nil), missing: "region (or endpoint); project_id; access_key and secret_key"},
		"vendor variables": {ief: types.ObjectNull(iefValue(nil).AttributeTypes(t.Context())), env: complete, ready: true},
		"SDK variables": {
			ief: texts(iefRegion, "cn-north-4"), ready: true,
			env: map[string]string{"HUAWEICLOUD_SDK_AK": "AK", "HUAWEICLOUD_SDK_SK": "SK", "HUAWEICLOUD_SDK_PROJECT_ID": project},
		},
		"block": {ief: texts(iefEndpoint, "https://ief.example", iefProjectID, project, iefToken, "T"), ready: true},
		"a key of the block is not completed from elsewhere": {
			ief: texts(iefAccessKey, "OTHER"), env: complete, missing: "secret_key, from the same source as access_key",
		},
		"a secret alone": {ief: texts(iefSecretKey, "SK", iefRegion, "cn-north-4", iefProjectID, project), missing: "access_key, from the same source"},
		"a security token alone is not dropped for the key of another place": {
			ief: texts(iefSecurityToken, "ST"), env: complete, missing: "access_key and secret_key",
		},
		"a key of one group of variables is not completed from another": {
			ief: texts(iefRegion, "cn-north-4"), missing: "secret_key, from the same source as access_key",
			env: map[string]string{"KUSCIA_IEF_ACCESS_KEY": "OWN", "HW_ACCESS_KEY": "AK", "HW_SECRET_KEY": "SK", "HW_PROJECT_ID": project},
		},
		"not known yet": {ief: iefValue(map[string]attr.Value{iefToken: types.StringUnknown()}), env: complete, unknown: "ief.token"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problems := iefAccess(block{IEF: test.ief}, func(name string) string { return test.env[name] }, requests{})
			if len(problems) > 0 || (got.Client != nil) != test.ready || !strings.Contains(got.Missing, test.missing) ||
				!strings.Contains(strings.Join(got.Unknown, ","), test.unknown) || (got.Missing == "") != (test.missing == "") {
				t.Errorf("%+v %v", got, problems)
			}
		})
	}
}

// TestIEFConfig: the token of a temporary key is taken from the source of the key.
func TestIEFConfig(t *testing.T) {
	t.Parallel()
	variables := env{
		"KUSCIA_IEF_ACCESS_KEY": "own", "KUSCIA_IEF_SECRET_KEY": "own-secret",
		"HW_ACCESS_KEY": "vendor", "HW_SECRET_KEY": "vendor-secret", "HW_SECURITY_TOKEN": "vendor-token",
	}
	if got := iefConfig(nil, variables.get); got.AccessKey != "own" || got.SecretKey != "own-secret" || got.SecurityToken != "" {
		t.Errorf("%+v", got)
	}
}

func TestCheckIEF(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ief  types.Object
		want string
	}{
		"fine":        {texts(iefRegion, "cn-north-4"), ""},
		"no region":   {texts(iefRegion, "North 4"), "is not a region"},
		"empty":       {texts(iefProjectID, ""), "empty string"},
		"plain http":  {texts(iefEndpoint, "http://ief.example"), "the credentials are not protected"},
		"loopback":    {texts(iefEndpoint, "http://127.0.0.1:1"), ""},
		"a path":      {texts(iefEndpoint, "https://ief.example/v3"), "without user, path and query"},
		"project":     {texts(iefProjectID, "a/b"), "not a project ID"},
		"two sources": {texts(iefToken, "T", iefAccessKey, "A"), "Keep one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all string
			for _, p := range checkIEF(block{IEF: test.ief}) {
				all += p.Detail
			}
			if !strings.Contains(all, test.want) || (all == "") != (test.want == "") {
				t.Errorf("%q, want %q", all, test.want)
			}
		})
	}
}
