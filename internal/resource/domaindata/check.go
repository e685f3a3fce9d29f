package domaindata

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// labelValue is the format of a Kubernetes label value, for which Kuscia uses
// type and vendor.
var labelValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`) })

// checkLabel returns the problem with a label value, "" for none.
func checkLabel(value string) string {
	if labelValue().MatchString(value) {
		return ""
	}
	return fmt.Sprintf("%q is not a valid Kubernetes label value, as which Kuscia stores it. Use letters, digits, \"-\", \"_\" and \".\", at most 63 characters, with a letter or digit at both ends.", httpapi.Text(value))
}

// checkData reports problems of domain data. Values that objects created by
// other clients may have are only rejected in a plan, so that such objects can
// be imported.
func checkData(c *check.Checker, data *kuscia.DomainData) {
	for _, label := range []struct{ name, value string }{{attrType, data.Type}, {attrVendor, data.Vendor}} {
		if problem := checkLabel(label.value); problem != "" {
			c.Add(check.Refused, path.Root(label.name), label.value, "Invalid "+label.name, problem)
		}
	}
	uri := path.Root(attrRelativeURI)
	switch {
	case data.RelativeURI == "":
		c.Add(check.Unusable, uri, "", "Missing path of the data", "relative_uri must not be empty: set the path within the data source, for example \"scores/2026.csv\".")
	case strings.HasPrefix(data.RelativeURI, "/"):
		c.Add(check.Unusable, uri, data.RelativeURI, "Leading slash",
			fmt.Sprintf("relative_uri is relative to the data source: use %q. Kuscia removes a leading slash on create but keeps it on update.", httpapi.Text(strings.TrimLeft(data.RelativeURI, "/"))))
	}
	if data.Name == "" {
		c.Add(check.Unusable, path.Root(attrName), "", "Empty name", "name must not be empty: Kuscia would use another one, or keep the old one. Omit it to use the last part of relative_uri.")
	}
	c.OneOf(check.Refused, path.Root(attrFileFormat), "", data.FileFormat, fileFormats,
		"Kuscia silently treats any other value, also in lower case, as UNKNOWN.")
	if data.Partition != nil && data.Partition.Type == "" {
		c.Add(check.Unusable, path.Root(attrPartition).AtName(attrType), "", "Missing type of the partition", "Set \"path\" or \"odps\".")
	}
}
