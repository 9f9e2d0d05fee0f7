import { inspect } from "node:util"
import { type Experiment, type ExperimentStep, petsPath, startAgain } from "./experiments.ts"

/** An experiment as code; `usage` says in what file it is saved, and how it is run. */
export type Snippet = { title: string; text: string; usage?: string }

/** The code against the API at `url`. */
export const snippetsOf = (experiment: Experiment, url: string): readonly Snippet[] => [
  { title: "curl", text: asCurl(experiment, url) },
  javaScript(experiment, url),
  python(experiment, url),
]

const stepsOf = ({ steps }: Experiment): readonly ExperimentStep[] => [startAgain, ...steps]

/** Without comments, which some shells do not accept at a terminal. */
function asCurl(experiment: Experiment, url: string): string {
  const pets: ExperimentStep = { words: "", method: "GET", path: petsPath, expected: 200 }
  return [`url=${url}`, ...[...stepsOf(experiment), pets].map(curlLine)].join("\n")
}

function curlLine({
  method,
  path,
  key = "special-key",
  headers = {},
  body,
  times,
  timeoutSeconds,
}: ExperimentStep): string {
  const sent = [
    method !== (body ? "POST" : "GET") && `-X ${method}`,
    timeoutSeconds && `-m ${timeoutSeconds}`,
    `"$url${path}"`,
    ...Object.entries({ api_key: key, ...headers }).map(([name, value]) => `-H '${name}: ${value}'`),
    body && `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`,
  ].filter(Boolean)
  return times === undefined
    ? `curl -sS -w ' %{http_code}\\n' ${sent.join(" ")}`
    : `for n in $(seq ${times}); do curl -sS -o /dev/null -w '%{http_code} ' ${sent.join(" ")}; done`
}

function javaScript(experiment: Experiment, url: string): Snippet {
  const { id, name, pets } = experiment
  const file = `${id}.test.mjs`
  const text = `import assert from "node:assert/strict"
import { test } from "node:test"

const url = "${url}"

async function send(method, path, { key = "special-key", headers, body, seconds = 30 } = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { api_key: key, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(seconds * 1000),
  })
  return { status: response.status, body: await response.json() }
}

test("${name}", async () => {
${stepsOf(experiment).map(javaScriptLines).join("\n")}
  const { body: pets } = await send("GET", "${petsPath}")
  assert.equal(pets.length, ${pets})
})
`
  return {
    title: "A test in JavaScript",
    text,
    usage: `In \`${file}\`, with Node 20 or newer: \`node --test ${file}\``,
  }
}

function javaScriptLines({
  words,
  method,
  path,
  key,
  headers,
  body,
  times,
  timeoutSeconds,
  expected,
}: ExperimentStep): string {
  const options = { key, headers, body, seconds: timeoutSeconds }
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const literal = inspect(Object.fromEntries(given), { depth: null, breakLength: Number.POSITIVE_INFINITY })
  const call = `send("${method}", "${path}"${given.length > 0 ? `, ${literal}` : ""})`
  const loop = times === undefined ? "" : `for (let n = 0; n < ${times}; n++) `
  const line =
    typeof expected === "number"
      ? `${loop}assert.equal((await ${call}).status, ${expected})`
      : `await assert.rejects(${call})`
  return `  // ${words.replaceAll("`", "")}\n  ${line}`
}

function python(experiment: Experiment, url: string): Snippet {
  const { id, name, pets } = experiment
  const file = `test_${id.replaceAll("-", "_")}.py`
  const text = `import json
import unittest
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = "${url}"


def send(method, path, key="special-key", headers={}, body=None, seconds=30):
    """The status and the body. Raises OSError without a response."""
    data = None if body is None else json.dumps(body).encode()
    sent = {"api_key": key, "content-type": "application/json", **headers}
    try:
        with urlopen(Request(URL + path, data, sent, method=method), timeout=seconds) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


class ${name.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}(unittest.TestCase):
    def test_${id.replaceAll("-", "_")}(self):
${stepsOf(experiment).map(pythonLines).join("\n")}
        pets = send("GET", "${petsPath}")[1]
        self.assertEqual(len(pets), ${pets})


if __name__ == "__main__":
    unittest.main()
`
  return { title: "A test in Python", text, usage: `In \`${file}\`: \`python3 ${file}\`` }
}

function pythonLines({
  words,
  method,
  path,
  key,
  headers,
  body,
  times,
  timeoutSeconds,
  expected,
}: ExperimentStep): string {
  const options = Object.entries({ key, headers, body, seconds: timeoutSeconds })
  // JSON without true, false and null is Python.
  const given = options.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${JSON.stringify(value)}`]))
  const call = `send(${[`"${method}"`, `"${path}"`, ...given].join(", ")})`
  const lines =
    typeof expected === "number"
      ? [`self.assertEqual(${call}[0], ${expected})`]
      : ["with self.assertRaises(OSError):", `    ${call}`]
  const repeated = times === undefined ? lines : [`for _ in range(${times}):`, ...lines.map((line) => `    ${line}`)]
  return [`# ${words.replaceAll("`", "")}`, ...repeated].map((line) => `        ${line}`).join("\n")
}
