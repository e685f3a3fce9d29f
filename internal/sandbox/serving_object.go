package sandbox

// Servings keep their part of the state file themselves: they hang together
// with Deployments and Services.
var servingObject = object{
	name: "servings", kind: kindServings,
	operations: map[string]operation{
		"serving/create":            objectOperation(codeCreateServing, (*Sandbox).createServing).forDomains(),
		"serving/query":             objectOperation(codeQueryServing, (*Sandbox).queryServing).data().forDomains(),
		"serving/update":            objectOperation(codeUpdateServing, (*Sandbox).updateServing).forDomains(),
		"serving/delete":            objectOperation(codeDeleteServing, (*Sandbox).deleteServing).forDomains(),
		"serving/status/batchQuery": objectOperation(codeServingStatus, (*Sandbox).batchQueryServingStatus).data().forDomains(),
	},
	named: namedBy("serving_id"),
}

// App images are kept in the state file beside the objects too.
var appImageObject = object{
	name: "app_images", kind: kindAppImages,
	operations: map[string]operation{
		"appimage/create":     appImageOperation(objectOperation(codeCreateAppImage, (*Sandbox).createAppImage)),
		"appimage/query":      appImageOperation(objectOperation(codeQueryAppImage, (*Sandbox).queryAppImage)).data(),
		"appimage/update":     appImageOperation(objectOperation(codeUpdateAppImage, (*Sandbox).updateAppImage)),
		"appimage/delete":     appImageOperation(objectOperation(codeDeleteAppImage, (*Sandbox).deleteAppImage)),
		"appimage/batchQuery": appImageOperation(objectOperation(codeBatchAppImages, (*Sandbox).batchQueryAppImages)).data(),
		"appimage/list":       appImageOperation(objectOperation(codeListAppImages, (*Sandbox).listAppImages)).data().sinceVersion(kusciaVersion.hasAppImageList),
	},
	named: namedBy("name"),
}

func appImageOperation(op operation) operation {
	return op.sinceVersion(kusciaVersion.hasAppImages).onLite(liteRefused)
}
