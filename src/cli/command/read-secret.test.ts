import assert from "node:assert/strict"
import { test } from "node:test"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import { UsageError } from "./command.ts"
import { readSecret } from "./read-secret.ts"

test("a secret is read at the prompt or from standard input, without the end of its line, and must not be empty", async () => {
  const questions: string[] = []
  const askSecret = async (question: string) => {
    questions.push(question)
    return "typed"
  }
  const prompted = recordTerminal({ stdin: "piped\n", askSecret }).terminal
  assert.equal(await readSecret(prompted, "Password: "), "typed")
  assert.deepEqual(questions, ["Password: "])

  const piped = (stdin: string) => readSecret(recordTerminal({ stdin }).terminal, "Password: ")
  for (const [stdin, secret] of [
    ["a b\n", "a b"],
    ["a\r\n", "a"],
    ["a", "a"],
    ["a\n\n", "a\n"],
  ] as const)
    assert.equal(await piped(stdin), secret)
  const refusal = new UsageError("no password; enter it at the prompt, or send it to standard input")
  for (const stdin of ["", "\n", "\r\n"]) await assert.rejects(piped(stdin), refusal)
})
