package sandbox

// chance is the reason for which an item cannot be replayed.
const chance = "numbers that come out by chance; TestConcurrentWriters shows the same answers"

// listed are the items that are not replayed, by transcript, index and note.
var listed = map[string]string{
	"serving-5-traps[25] 15 x (create, then 4 updates back to back): ok / failed": chance,
	"serving-5-traps[27] 24 updates by 8 threads on one serving":                  chance,
	"serving-5-traps[28] 8 parallel creates of one id":                            chance,
}
