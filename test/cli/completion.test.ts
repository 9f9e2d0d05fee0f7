import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { before, test } from "node:test"
import { commands } from "../../src/commands.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { missingProgram } from "../harness/installed.ts"
import { root } from "../harness/together.ts"

const printScript = async (shell: string) => (await petstoreCommand("http://127.0.0.1:9", ["completion", shell])).out
let bash: string
before(async () => {
  bash = await printScript("bash")
})

/** Bash's candidates for the last word of a command line; `compopt` selects file names. */
function complete(...line: string[]): string[] {
  const script = `${bash}
    compopt() { COMPREPLY=("compopt $*"); }
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _petstore
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync("bash", ["-c", script, "bash", "petstore", ...line], { encoding: "utf8" })
  return out.split("\n").filter(Boolean)
}

test("commands, verbs, flags and the values of flags and arguments are completed in bash (slow)", () => {
  const cases = [
    { line: ["pe"], offers: ["pets"] },
    { line: ["pets", "by"], offers: ["by-status", "by-tags"] },
    { line: ["pets", "by-status", "--st"], offers: ["--status"] },
    { line: ["pets", "by-status", "--status", ""], offers: ["available", "pending", "sold"] },
    { line: ["pets", "by-status", "--status", "=", "so"], offers: ["sold"] },
    { line: ["pets", "get", "1", "--if"], offers: ["--if-none-match"] },
    { line: ["users", "grant", "ada", ""], offers: ["customer", "staff", "admin"] },
    { line: ["users", "grant", "c"], offers: [] },
    { line: ["--url", "pets", "account", ""], offers: ["get"] },
    { line: ["listen", "--events", "pet."], offers: ["pet.created", "pet.updated", "pet.deleted"] },
    { line: ["completion", ""], offers: ["bash", "zsh", "fish"] },
    { line: ["logi"], offers: ["login"] },
    { line: ["export", "--format", ""], offers: ["ndjson", "csv", "json"] },
    { line: ["keys", "list", "--c"], offers: ["--cursor", "--columns", "--csv"] },
    { line: ["pets", "list", "--columns", "st"], offers: ["status"] },
    { line: ["pets", "list", "--verb"], offers: ["--verbose"] },
    { line: ["import", ""], offers: ["compopt -o default"] },
    { line: ["pets", "upload-image", "2", "--file", ""], offers: ["compopt -o default"] },
    { line: ["frobnicate", ""], offers: [] },
  ]
  for (const { line, offers } of cases) assert.deepEqual(complete(...line), offers, line.join(" "))
})

test("the script of each shell contains all commands and flags", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const lines = (await printScript(shell)).split("\n")
    for (const { name, flags } of commands) {
      const at = lines.findIndex((line) => line.includes(`"${name} -"`) || line.includes(`'${name} -'`))
      const entry = lines.slice(at, at + 2).join(" ")
      assert.ok(at >= 0 && flags.every((flag) => entry.includes(`--${flag.name}`)), `${shell}: ${name}`)
    }
  }
})

test("an unsupported shell is refused", async () => {
  const { code, err } = await petstoreCommand("http://127.0.0.1:9", ["completion", "tcsh"])
  assert.deepEqual({ code, err }, { code: 2, err: "petstore: <shell> must be bash, zsh, fish\n" })
})

/** What a shell prints after it has sourced the script with `./petstore` of this checkout. */
const sourced = (shell: string, then: string) =>
  execFileSync(shell, ["-c", `source <(./petstore completion ${shell}); ${then}`], { cwd: root, encoding: "utf8" })

test("bash sources the script of a checkout and completes both ways to name the command (slow)", () => {
  const printed = sourced("bash", "complete -p petstore ./petstore")
  assert.equal(printed, "complete -F _petstore petstore\ncomplete -F _petstore ./petstore\n")
})

test("zsh sources it before compinit has run (slow)", { skip: missingProgram("zsh") }, () => {
  assert.equal(
    sourced("zsh", "echo $_comps[petstore]; _petstore_find co pets; echo $list[(w)1]"),
    "_petstore\ncreate\n",
  )
})
