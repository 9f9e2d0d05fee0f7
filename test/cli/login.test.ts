import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { plain } from "../../src/cli/command/command.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { inherited } from "../harness/spawn.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const stateDir = join(directory.path, "state")

const run = (...argv: string[]) => petstoreCommand(petstore.url, argv, { stateDir, stdin: "password1\n" })
const modeOf = (...names: string[]) => statSync(join(stateDir, ...names)).mode & 0o777

test("a login is readable only by its owner and used until logout, which revokes it", async () => {
  const { code, out, err } = await run("login", "user1")
  assert.deepEqual({ code, err }, { code: 0, err: "" })
  assert.match(out, /^Logged in to http:\S+ as user1 until \d{4}-/)
  const names = readdirSync(join(stateDir, "logins"))
  assert.deepEqual(
    { files: names.length, directoryMode: modeOf("logins"), fileMode: modeOf("logins", names[0] as string) },
    { files: 1, directoryMode: 0o700, fileMode: 0o600 },
  )

  const asked = await run("users", "get", "user1", "--verbose")
  assert.deepEqual({ code: asked.code, err: asked.err }, { code: 0, err: `${petstore.url}, with the login of user1\n` })
  assert.match((await run("doctor")).out, /^ok +key: the login of user1, of account/m)
  assert.match((await run("users", "get", "user2")).err, /User not found/)
  const elsewhere = await petstoreCommand(petstore.url.replace("127.0.0.1", "localhost"), ["doctor"], { stateDir })
  assert.match(elsewhere.out, /key: the sandbox's special-key/)

  const { apiKey, token } = { apiKey: "free-key", token: undefined }
  const settings = { url: petstore.url, apiKey, token }
  const withKey = await petstoreCommand(petstore.url, ["pets", "get", "1", "--verbose"], { stateDir, settings })
  assert.match(withKey.err, /, with PETSTORE_API_KEY\n/)

  assert.match((await run("login", "user1")).out, /^Logged in/)
  const [first, second] = [await run("logout"), await run("logout")]
  assert.match(first.out, /^user1 logged out of http/)
  assert.match(second.err, /You are not logged in to/)
  assert.deepEqual([first.code, second.code], [0, 0])
  assert.deepEqual(readdirSync(join(stateDir, "logins")), [])
})

test("logging out revokes the token in the service, and an expired login is reported", async () => {
  await run("login", "user1")
  await run("users", "logout")
  const { code, err } = await run("users", "get", "user1")
  assert.equal(code, 1, err)
  assert.match(err, /Run \.\/petstore login again/)
  assert.match((await run("doctor")).out, /→ Log in again: \.\/petstore login/)
  assert.equal((await run("login", "user1")).code, 0)
  const verify = () => petstoreCommand(petstore.url, ["users", "get", "user1"], { stateDir })
  assert.equal((await verify()).code, 0)

  const [name] = readdirSync(join(stateDir, "logins"))
  const { token } = JSON.parse(readFileSync(join(stateDir, "logins", name as string), "utf8"))
  await run("logout")
  assert.match((await run("--token", token, "users", "get", "user1")).err, /unauthorized \(401\)/)
})

test("a wrong password stores no login, and an empty one is refused", async () => {
  const attempt = (stdin: string) => petstoreCommand(petstore.url, ["login", "user1"], { stateDir, stdin })
  assert.equal((await attempt("wrong\n")).code, 1)
  assert.equal((await attempt("")).code, 2)
  assert.match((await attempt("\n")).err, /no password/)
  assert.deepEqual(readdirSync(join(stateDir, "logins")), [])
})

test("a secret on the command line causes a warning, and a missing one is prompted for on a terminal", async () => {
  const warned = await run("--api-key", "free-key", "pets", "get", "1")
  assert.match(
    warned.err,
    /^Warning: other users of this machine can read --api-key in the list of processes; set PETSTORE_API_KEY/,
  )
  const byHand = await run("users", "login", "--username", "user1", "--password", "password1")
  assert.match(byHand.err, /can read --password in the list of processes; omit the flag to enter it at a prompt/)

  const questions: string[] = []
  const askSecret = async (question: string) => {
    questions.push(question)
    return "password1"
  }
  const terminal = {
    stdin: (async function* () {})(),
    out: () => {},
    err: () => {},
    redraw: () => {},
    paint: { out: plain, err: plain },
    width: undefined,
    isTerminal: true,
    askSecret,
  }
  const { code } = await petstoreCommand(petstore.url, ["users", "login", "--username", "user1"], { terminal })
  assert.deepEqual({ code, questions }, { code: 0, questions: ["password: "] })
})

test("a required password is read from standard input, as login reads it", async () => {
  assert.equal((await run("users", "login", "--username", "user1")).code, 0)
  const made = await run("users", "register", "--username", "ada", "--json")
  assert.equal(made.code, 0, made.err)
  const asAda = await petstoreCommand(petstore.url, ["login", "ada"], { stateDir, stdin: "password1" })
  assert.equal(asAda.code, 0, asAda.err)
  await run("logout")
  const without = await petstoreCommand(petstore.url, ["users", "login", "--username", "user1"], { stateDir })
  assert.match(without.err, /no password; enter it at the prompt, or send it to standard input/)
})

/** Runs a command in a pseudo-terminal (`script` of util-linux), types, and resolves with the terminal's output. */
const onTerminal = (typed: string, ...argv: string[]) => inTerminal("", typed, argv)

/** The same, after a text of the shell. */
async function inTerminal(before: string, typed: string, argv: readonly string[]) {
  const words = [
    process.execPath,
    join(import.meta.dirname, "..", "..", "src", "cli", "main.ts"),
    "--url",
    petstore.url,
    ...argv,
  ]
  const line = before + words.map((word) => `'${word}'`).join(" ")
  const env = { ...inherited, XDG_STATE_HOME: directory.path }
  const child = spawn("script", ["-qec", line, "/dev/null"], { env, stdio: ["pipe", "pipe", "inherit"] })
  let shown = ""
  child.stdout.on("data", (part) => {
    if (!shown.includes("Password") && `${shown}${part}`.includes("Password")) child.stdin.write(typed)
    shown += part
  })
  const [code] = await once(child, "close")
  return { code, shown }
}

test("on a terminal the password is prompted for without echo, and Ctrl-C and Ctrl-D exit with 130 (slow)", async () => {
  const { code, shown } = await onTerminal("passwordX\u007f1\r", "login", "user1")
  assert.deepEqual({ code, showsPassword: shown.includes("password") }, { code: 0, showsPassword: false }, shown)
  assert.match(shown, /Password of user1 at [^\n]*: \r\nLogged in/)
  assert.equal(modeOf("..", "petstore", "logins"), 0o700)
  for (const ending of ["\u0003", "\u0004"]) assert.equal((await onTerminal(ending, "login", "user1")).code, 130)
})

test("a password is read from a pipe on a terminal too, without a prompt, and progress is shown there (slow)", async () => {
  const piped = await inTerminal("echo password1 | ", "", ["login", "user1"])
  assert.equal(piped.code, 0)
  assert.match(piped.shown, /^Logged in to [^\n]* as user1 until [^\n]*\n$/)
  const audited = await onTerminal("", "--api-key", "special-key", "audit", "verify")
  assert.match(audited.shown.replaceAll("\u001b[K", ""), /\r\d+ entries\r\n\d+ entries are unchanged\./)
})
