import assert from "node:assert/strict"
import { test } from "node:test"
import { command } from "../../../test/harness/command.ts"
import { UsageError } from "../command/command.ts"
import { globalFlagsWith } from "./global-flags.ts"
import { parse } from "./parse.ts"

const commands = [
  command("pets"),
  command("pets get", {
    arguments: [
      { name: "pet-id", meaning: "" },
      { name: "part", meaning: "" },
    ],
    flags: [
      { name: "sort", value: "ORDER", choices: ["name", "-name"], meaning: "" },
      { name: "tags", value: "TAG", many: true, meaning: "" },
      { name: "dry-run", short: "n", meaning: "" },
      { name: "token", value: "TEXT", meaning: "" },
    ],
  }),
  command("tool", { arguments: [{ name: "file", meaning: "" }], rest: { name: "command", meaning: "" } }),
]

const parsed = (...argv: string[]) => {
  const { command: found, words, input, global } = parse(argv, commands, globalFlagsWith([]))
  return { command: found?.name, words, ...input, flags: { ...input.flags }, global }
}

test("a noun and verb take precedence over a word, and words end at the first flag", () => {
  assert.equal(parsed("pets", "get", "1", "photo").command, "pets get")
  assert.equal(parsed("pets").command, "pets")
  assert.throws(() => parsed("pets", "--json", "get"), new UsageError('unexpected argument "get"'))
  assert.deepEqual(parsed("pest", "get", "1", "--json"), {
    command: undefined,
    words: ["pest", "get", "1"],
    arguments: {},
    flags: {},
    rest: [],
    global: { json: [true] },
  })
  assert.deepEqual(parsed(), { command: undefined, words: [], arguments: {}, flags: {}, rest: [], global: {} })
})

test("global flags come before or after the command, and its own flag of the same name takes precedence after it", () => {
  const own = { "dry-run": [true], token: ["own"] }
  assert.deepEqual(
    parsed(
      "--url",
      "http://a",
      "--json",
      "--token",
      "leading",
      "pets",
      "get",
      "1",
      "photo",
      "--token",
      "own",
      "-n",
      "--account",
      "7",
    ),
    {
      command: "pets get",
      words: ["pets", "get", "1", "photo"],
      arguments: { "pet-id": "1", part: "photo" },
      flags: { ...own, account: ["7"] },
      rest: [],
      global: { url: ["http://a"], json: [true], token: ["leading"], account: ["7"] },
    },
  )
  const unknown = parsed("--url", "http://a", "--json", "pest", "--account", "7")
  assert.deepEqual([unknown.words, unknown.global], [["pest"], { url: ["http://a"], json: [true], account: ["7"] }])
  const { words, global } = parsed("--json", "pest", "get", "--account", "7")
  assert.deepEqual([words, global], [["pest", "get"], { json: [true], account: ["7"] }])
  assert.deepEqual(parsed("--json", "--help"), {
    command: undefined,
    words: [],
    arguments: {},
    flags: {},
    rest: [],
    global: { json: [true], help: [true] },
  })
  assert.throws(() => parsed("--url"), new UsageError("Option '--url <value>' argument missing"))
})

test("a flag is given once unless it may be repeated, and an order with a leading dash is its value", () => {
  assert.deepEqual(parsed("pets", "get", "1", "photo", "--tags", "a", "--tags", "b").flags, { tags: ["a", "b"] })
  assert.throws(
    () => parsed("pets", "get", "1", "photo", "--sort", "name", "--sort", "name"),
    new UsageError("--sort is given more than once"),
  )
  assert.throws(() => parsed("--json", "--json", "pets"), new UsageError("--json is given more than once"))
  assert.deepEqual(parsed("pets", "get", "1", "photo", "--sort", "-name", "--json").flags, {
    sort: ["-name"],
    json: [true],
  })
  assert.throws(
    () => parsed("pets", "get", "1", "photo", "--sort", "-nme"),
    /^Error: Option '--sort' argument is ambiguous/,
  )
  assert.deepEqual(parsed("pets", "get", "--", "--sort", "-name").arguments, { "pet-id": "--sort", part: "-name" })
})

test("missing, surplus and unknown words are refused, but not when help or the version is wanted", () => {
  const cases: [string[], string][] = [
    [["pets", "get"], "<pet-id> is missing"],
    [["pets", "get", "1"], "<part> is missing"],
    [["pets", "get", "1", "photo", "3", "4"], 'unexpected argument "3"'],
    [["tool"], "<file> is missing"],
    [["pets", "--jsn"], "unknown flag --jsn; did you mean --json?"],
    [["pets", "--jsn=1"], "unknown flag --jsn; did you mean --json?"],
    [["pets", "-x"], "unknown flag -x; --help lists all flags"],
    [["pets", "get", "1", "photo", "--dry-rn"], "unknown flag --dry-rn; did you mean --dry-run?"],
    [["pets", "--json=yes"], "Option '--json' does not take an argument"],
  ]
  for (const [argv, message] of cases) assert.throws(() => parsed(...argv), new UsageError(message))
  for (const flag of ["--help", "-h", "--version", "-v"]) {
    const { command: found, arguments: named } = parsed("pets", "get", flag)
    assert.deepEqual([found, named], ["pets get", {}])
  }
})

test("a switch is turned off with no- before its name", () => {
  const { flags, global } = parsed("pets", "get", "1", "photo", "--no-dry-run", "--no-json")
  assert.deepEqual([flags["dry-run"], global.json], [[false], [false]])
})

test("a command that runs another program takes its command line after its own arguments", () => {
  const { arguments: named, rest } = parsed("tool", "a.txt", "--json", "--", "node", "--flag", "x")
  assert.deepEqual([named, rest], [{ file: "a.txt" }, ["node", "--flag", "x"]])
  assert.deepEqual(parsed("tool", "a.txt").rest, [])
})
