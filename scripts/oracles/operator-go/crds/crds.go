// Package crds embeds other manifests than Flux's, under the same directory name.
package crds

import "embed"

// Manifests holds what a pattern matches.
//
//go:embed manifests/*.yaml
var Manifests embed.FS
