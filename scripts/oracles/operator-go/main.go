// Command operator embeds what an operator embeds: Flux's manifests, other manifests under the same
// directory name, and single files as strings and bytes. Run, it prints the manifests of Flux's
// directory as fs.ReadDir lists them: name, length, content.
//
// Built with -tags glob, Flux's directory is embedded by a pattern of files, else as a whole.
package main

import (
	"embed"
	"os"
	"path"
	"strconv"

	"forebay.test/operator/crds"
	"forebay.test/operator/flux"
)

func main() {
	if len(os.Args) > 1 {
		os.Stdout.WriteString(flux.Service)
		os.Stdout.Write(flux.Controllers)
		list(crds.Manifests)
	}
	list(flux.Manifests)
}

// list writes each manifest of the directory "manifests", in name order.
func list(files embed.FS) {
	entries, err := files.ReadDir("manifests")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		name := path.Join("manifests", entry.Name())
		switch path.Ext(name) {
		case ".yaml", ".yml", ".json":
		default:
			continue
		}
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(name + " " + strconv.Itoa(len(data)) + "\n")
		os.Stdout.Write(data)
	}
}
