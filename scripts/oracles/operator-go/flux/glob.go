//go:build glob

package flux

import "embed"

// Manifests holds what a pattern matches.
//
//go:embed manifests/*.yaml
var Manifests embed.FS
