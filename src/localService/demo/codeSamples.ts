/** The same small program in many languages, for `/code`; keys are the words people and highlighters use. */
export const codeSamples: Readonly<Record<string, string>> = {
	typescript: `interface Greeting {
	readonly name: string;
	readonly letters: number;
}

/** Counts letters, not spaces. */
export function greet(name: string): Greeting {
	const letters = [...name].filter(letter => /\\p{L}/u.test(letter)).length;
	return { name, letters };
}

console.log(greet("Ada Lovelace")); // { name: 'Ada Lovelace', letters: 11 }`,
	javascript: `/** Counts letters, not spaces. */
export function greet(name) {
	const letters = [...name].filter(letter => /\\p{L}/u.test(letter)).length;
	return \`Hello \${name}, \${letters} letters\`;
}

console.log(greet("Ada Lovelace"));`,
	python: `from dataclasses import dataclass


@dataclass(frozen=True)
class Greeting:
    name: str
    letters: int


def greet(name: str) -> Greeting:
    """Counts letters, not spaces."""
    return Greeting(name, sum(letter.isalpha() for letter in name))


if __name__ == "__main__":
    print(greet("Ada Lovelace"))  # Greeting(name='Ada Lovelace', letters=11)`,
	rust: `/// Counts letters, not spaces.
fn letters(name: &str) -> usize {
    name.chars().filter(|letter| letter.is_alphabetic()).count()
}

fn main() {
    let name = "Ada Lovelace";
    println!("Hello {name}, {} letters", letters(name));
}`,
	go: `package main

import (
	"fmt"
	"unicode"
)

// letters counts letters, not spaces.
func letters(name string) (count int) {
	for _, letter := range name {
		if unicode.IsLetter(letter) {
			count++
		}
	}
	return count
}

func main() {
	name := "Ada Lovelace"
	fmt.Printf("Hello %s, %d letters\\n", name, letters(name))
}`,
	java: `public final class Greeting {
    /** Counts letters, not spaces. */
    static long letters(String name) {
        return name.codePoints().filter(Character::isLetter).count();
    }

    public static void main(String[] arguments) {
        var name = "Ada Lovelace";
        System.out.printf("Hello %s, %d letters%n", name, letters(name));
    }
}`,
	csharp: `using System;
using System.Linq;

// Counts letters, not spaces.
static int Letters(string name) => name.Count(char.IsLetter);

var name = "Ada Lovelace";
Console.WriteLine($"Hello {name}, {Letters(name)} letters");`,
	c: `#include <ctype.h>
#include <stdio.h>

/* Counts letters, not spaces. */
static int letters(const char *name) {
    int count = 0;
    for (; *name != '\\0'; name++) {
        count += isalpha((unsigned char)*name) != 0;
    }
    return count;
}

int main(void) {
    const char *name = "Ada Lovelace";
    printf("Hello %s, %d letters\\n", name, letters(name));
    return 0;
}`,
	cpp: `#include <algorithm>
#include <cctype>
#include <iostream>
#include <string_view>

// Counts letters, not spaces.
auto letters(std::string_view name) {
    return std::ranges::count_if(name, [](unsigned char letter) { return std::isalpha(letter); });
}

int main() {
    constexpr std::string_view name = "Ada Lovelace";
    std::cout << "Hello " << name << ", " << letters(name) << " letters\\n";
}`,
	bash: `#!/usr/bin/env bash
set -euo pipefail

# Counts letters, not spaces.
letters() {
  local only="\${1//[^[:alpha:]]/}"
  echo "\${#only}"
}

name="\${1:-Ada Lovelace}"
echo "Hello $name, $(letters "$name") letters"`,
	sql: `-- Counts letters, not spaces.
SELECT
    name,
    LENGTH(REPLACE(name, ' ', '')) AS letters
FROM people
WHERE name LIKE 'Ada %'
ORDER BY letters DESC
LIMIT 10;`,
	html: `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<title>Greeting</title>
	</head>
	<body>
		<!-- Counts letters, not spaces. -->
		<p>Hello <strong id="name">Ada Lovelace</strong>, <output for="name">11</output> letters</p>
	</body>
</html>`,
	css: `/* A card that greets. */
.greeting {
	--accent: hsl(210 60% 45%);
	display: grid;
	gap: 0.5rem;
	border-inline-start: 3px solid var(--accent);
}

.greeting > strong:hover {
	color: var(--accent);
}`,
	json: `{
	"name": "Ada Lovelace",
	"letters": 11,
	"languages": ["typescript", "python"],
	"isGreeted": true,
	"note": null
}`,
	yaml: `# Counts letters, not spaces.
greeting:
  name: Ada Lovelace
  letters: 11
  languages:
    - typescript
    - python
  isGreeted: true`,
};
