package sandbox

// Reasons for which an item cannot be replayed.
const (
	storedForm = "the stored Kubernetes form, which the API does not show; what it leads to is compared in the answers"
	kubectl    = "a print of Kubernetes objects; the sandbox has only what the API shows of them"
	pods       = "environment and command of containers; the sandbox runs none"
	chance     = "numbers that come out by chance; TestConcurrentWriters shows the same answers"
)

// listed are the items that are not replayed, by transcript, index and note.
var listed = map[string]string{
	"appimage-1[2] stored object spec":                                            storedForm,
	"appimage-1[5] stored object spec":                                            storedForm,
	"serving-1-lifecycle[7] KusciaDeployment spec stored by the minimal create":   storedForm,
	"serving-1-lifecycle[8] kubectl: objects":                                     kubectl,
	"serving-1-lifecycle[9] alice deployment env/resources":                       pods,
	"serving-1-lifecycle[22] objects":                                             kubectl,
	"serving-3-update[149] input config reaching the pods (alice env KUSCIA... )": pods,
	"serving-5-traps[25] 15 x (create, then 4 updates back to back): ok / failed": chance,
	"serving-5-traps[27] 24 updates by 8 threads on one serving":                  chance,
	"serving-5-traps[28] 8 parallel creates of one id":                            chance,
}
