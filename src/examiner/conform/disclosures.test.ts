import assert from "node:assert/strict"
import { test } from "node:test"
import { disclosedBy } from "./disclosures.ts"

/** As the runtimes print them, of programs that fail when they look for a pet. */
const traces: Record<string, string> = {
  "a stack trace of JavaScript": `Error: no pet
    at pet (/srv/app/pets.js:1:24)
    at Object.<anonymous> (/srv/app/pets.js:2:7)
    at Module._compile (node:internal/modules/cjs/loader:1956:14)`,
  "a stack trace of Java": `java.lang.IllegalStateException: no pet
\tat Pets.find(Pets.java:1)
\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
\tat java.base/java.lang.reflect.Method.invoke(Method.java:569)`,
  "a stack trace of .NET": `System.InvalidOperationException: no pet
   at Petstore.Pets.Find(Int64 id) in /src/Petstore/Pets.cs:line 12
   at Program.<>c.<<Main>$>b__0_0(Int64 id)`,
  "a stack trace of Python": `Traceback (most recent call last):
  File "/srv/app/pets.py", line 4, in <module>
    pet()
KeyError: 'pet'`,
  "a stack trace of Go": `panic: no pet

goroutine 1 [running]:
main.pet(...)
\t/srv/app/pets.go:2
main.main()
\t/srv/app/pets.go:3 +0x25`,
  "a stack trace of PHP": `PHP Fatal error:  Uncaught Exception: no pet in /srv/app/pets.php:2
Stack trace:
#0 /srv/app/pets.php(3): pet()
#1 {main}
  thrown in /srv/app/pets.php on line 2`,
  "a stack trace of Ruby": `pets.rb:1:in \`pet': no pet (RuntimeError)
\tfrom pets.rb:2:in \`<main>'`,
  "a stack trace of Rust": `thread 'main' (11369) panicked at src/pets.rs:1:48:
index out of bounds: the len is 0 but the index is 7`,
  "an exception": "com.example.PetNotFoundException",
  "a statement of a database": "near 'x': SELECT id, name FROM pets WHERE name = 'x'",
}

const inHtml = (text: string): string => text.replaceAll('"', "&quot;").replaceAll("'", "&#39;")

test("stack traces of each runtime are found as they are, in JSON and in HTML, also without their first line", () => {
  for (const [what, trace] of Object.entries(traces)) {
    const [, ...others] = trace.split("\n")
    const parts = others.length > 1 ? [trace, others.join("\n")] : [trace]
    for (const part of parts)
      for (const text of [part, JSON.stringify({ detail: part }), inHtml(part)])
        assert.equal(disclosedBy(text), what, text)
  }
})

test("texts of refusals disclose nothing", () => {
  for (const text of [
    '{"type":"https://petstore.example/problems/pet-not-found","title":"Pet not found","status":404,"detail":"Pet 7 not found"}',
    "Try again at 2026-01-01T12:00:00Z, or at 10.0.0.1:8080",
    "The limit must be at least 1 (and at most 1000)",
    "Exceptional pets are selected from the list",
    "at /name: must be a text",
    "line 4 of the file is no pet",
    "See pets.js.example or File pets.csv, line 4",
  ])
    assert.equal(disclosedBy(text), undefined, text)
})
