// What Go's regexp says of the names of override entries.
//
// Reads lines of JSON, {"name": NAME, "images": [IMAGE…]}, and writes one line for each:
// {"error": TEXT, "matches": [BOOL…]}, the error being empty where the name compiles.
// Run with: go run scripts/oracles/regexp.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
)

type question struct {
	Name   string   `json:"name"`
	Images []string `json:"images"`
}

type answer struct {
	Error   string `json:"error"`
	Matches []bool `json:"matches"`
}

func ask(q question) answer {
	const tail = `(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`
	pattern, err := regexp.Compile("^" + q.Name + tail)
	if err != nil {
		return answer{Error: err.Error(), Matches: []bool{}}
	}
	a := answer{Matches: make([]bool, len(q.Images))}
	for i, image := range q.Images {
		a.Matches[i] = pattern.MatchString(image)
	}
	return a
}

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	buffered := bufio.NewWriter(os.Stdout)
	out := json.NewEncoder(buffered)
	out.SetEscapeHTML(false)
	for in.More() {
		var q question
		if err := in.Decode(&q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := out.Encode(ask(q)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := buffered.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
