import assert from "node:assert/strict"
import { test } from "node:test"
import { command } from "../../../test/harness/command.ts"
import { globalFlagsWith } from "../arguments/global-flags.ts"
import { completionScripts } from "./scripts.ts"
import { listCompletions } from "./table.ts"

const commands = [
  command("backup"),
  command("backup verify", { arguments: [{ name: "file", meaning: "" }] }),
  command("users list"),
  command("users grant", {
    arguments: [
      { name: "username", meaning: "" },
      { name: "role", meaning: "", choices: ["staff", "admin"] },
    ],
    flags: [
      { name: "token", value: "TEXT", meaning: "" },
      { name: "state", value: "PATH|-", meaning: "" },
      { name: "out", value: "FILE", meaning: "" },
      { name: "filer", value: "FILENAME", meaning: "" },
      { name: "sort", value: "ORDER", choices: ["name", "*"], meaning: "" },
      { name: "dry-run", meaning: "" },
    ],
  }),
]
const globalFlags = globalFlagsWith([])
const options = globalFlags.map(({ name }) => `--${name}`)
const global = globalFlags.filter(({ value }) => value).map(({ name }): [string, string] => [`--${name}`, "text"])
const table = listCompletions(commands, globalFlags)

test("each position of the command line has its candidates", () => {
  assert.deepEqual(Object.fromEntries(table), {
    "": ["backup", "users", "help"],
    help: ["backup", "users"],
    " -": options,
    ...Object.fromEntries(global),
    backup: ["verify"],
    "backup -": options,
    "backup verify": "file",
    "backup verify -": options,
    users: ["list", "grant"],
    "users list": [],
    "users list -": options,
    "users grant": "text",
    "users grant +": ["staff", "admin"],
    "users grant -": [
      "--token",
      "--state",
      "--out",
      "--filer",
      "--sort",
      "--dry-run",
      ...options.filter((option) => option !== "--token"),
    ],
    "users grant --token": "text",
    "users grant --state": "file",
    "users grant --out": "file",
    "users grant --filer": "text",
    "users grant --sort": ["name", "*"],
  })
})

test("a script has a line for each position, without words that a shell would expand", () => {
  for (const shell of ["bash", "zsh"] as const) {
    const script = completionScripts[shell](table)
    assert.match(script, /^ {2}"users grant \+"\) list="staff admin" ;;\n {2}"users grant -"\) list="--token /m)
    assert.match(script, /^ {2}"backup verify"\) list="<file>" ;;$/m)
    assert.match(script, /^ {2}"users grant"\) list="" ;;$/m)
    assert.match(script, /^ {2}"users grant --sort"\) list="name" ;;\n {2}\*\) return 1 ;;$/m)
  }
  assert.match(
    completionScripts.fish(table),
    /^ {4}case 'users grant --out'\n {6}echo '<file>'\n {4}case 'users grant --filer'\n {6}echo ''\n {4}case 'users grant --sort'\n {6}echo 'name'\n {4}case '\*'$/m,
  )
})
