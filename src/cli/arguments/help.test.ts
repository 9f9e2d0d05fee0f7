import assert from "node:assert/strict"
import { test } from "node:test"
import type { Command } from "../command/command.ts"
import { globalFlagsWith } from "./global-flags.ts"
import { formatCommandHelp, formatNounHelp, formatTopHelp } from "./help.ts"

const globalFlags = globalFlagsWith([])
const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: `Summary of ${name}`,
  arguments: [],
  flags: [],
  run: async () => 0,
  ...more,
})

test("the help of a command has its usage, arguments, flags and variables", () => {
  const words = "word ".repeat(19).trim()
  const whole = command("pets get", {
    description: `${words} ${"x".repeat(5)} ${"y".repeat(5)} end`,
    arguments: [{ name: "pet-id", meaning: "The id" }],
    rest: { name: "command", meaning: "After --" },
    flags: [
      { name: "name", value: "TEXT", meaning: "A name", required: true, many: true },
      { name: "f", short: "f", meaning: "" },
      { name: "quiet", meaning: `${"long ".repeat(13)}wor and more` },
      { name: "x".repeat(20), value: "VALUE", meaning: "Beside its name" },
      { name: "x".repeat(21), value: "VALUE", meaning: `${"long ".repeat(13)}wide On two lines of its own` },
      { name: "token", value: "TEXT", meaning: "Its own token", required: true },
    ],
    environment: [["PETSTORE_X", "A variable"]],
  })
  assert.equal(
    formatCommandHelp(whole, globalFlags),
    `Summary of pets get.

${words} xxxxx
yyyyy end

Usage: petstore pets get <pet-id> [FLAGS] -- <command> …

Arguments:
  <pet-id>   The id
  <command>  After --

Flags:
  --name TEXT                   A name (required, may be repeated)
  -f, --f
  --quiet                       ${"long ".repeat(13)}wor
                                and more
  --${"x".repeat(20)} VALUE  Beside its name
  --${"x".repeat(21)} VALUE
                                ${"long ".repeat(13).trim()}
                                wide On two lines of its own
  --token TEXT                  Its own token (required)

Environment variables:
  PETSTORE_X  A variable

Give the global flag --token before the command: petstore --token …
`,
  )
  assert.equal(formatCommandHelp(command("reset"), globalFlags), "Summary of reset.\n\nUsage: petstore reset\n")
  assert.equal(
    formatCommandHelp(command("reset", { flags: [{ name: "seed", value: "SEED", meaning: "The data" }] }), globalFlags),
    "Summary of reset.\n\nUsage: petstore reset [FLAGS]\n\nFlags:\n  --seed SEED  The data\n",
  )
})

test("a noun lists its verbs, and the top both kinds of commands", () => {
  const commands = [
    command("backup"),
    command("backup verify"),
    command("pets get"),
    command("pets list"),
    command("reset"),
  ]
  assert.equal(
    formatNounHelp("pets", commands),
    `Usage: petstore pets VERB [FLAGS]

Verbs:
  get   Summary of pets get
  list  Summary of pets list

Run petstore pets VERB --help for details.
`,
  )
  assert.match(formatNounHelp("backup", commands) ?? "", /Verbs:\n {2}verify {2}Summary of backup verify\n\n/)
  assert.equal(formatNounHelp("reset", commands), undefined)
  assert.equal(formatNounHelp("get", commands), undefined)
  const [own, ofNouns] = formatTopHelp(commands, globalFlags).split("\n\n").slice(3)
  assert.equal(
    own,
    `Commands:
  backup         Summary of backup
  backup verify  Summary of backup verify
  reset          Summary of reset`,
  )
  assert.equal(ofNouns, "API commands, by resource:\n  pets  get, list")
})
