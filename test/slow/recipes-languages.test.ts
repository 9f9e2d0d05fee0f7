// Runs in a process of its own.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { cpSync, globSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { after, describe, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { jarOf, junit, pip, pytestEnvironment, runTool, shortLived } from "../harness/foreign-tools.ts"
import { missingProgram } from "../harness/installed.ts"
import { openRecipe } from "../harness/recipe.ts"
import { root } from "../harness/together.ts"
import { until } from "../harness/until.ts"

const clients = join(root, "clients")
const [python, java, installer] = [await pytestEnvironment(), await junit(), await pip()]
const needsSqlite = serverUrl && "named sandboxes need SQLite"
// The launcher of a package runs on the Node of the path.
process.env.PATH = `${dirname(process.execPath)}:${process.env.PATH}`
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

/** Runs tests that hang, kills their process, and waits until the service that they started has ended, without its data. */
async function killHanging(cwd: string, program: string, ...args: string[]): Promise<void> {
  const temporary = join(cwd, "temporary")
  mkdirSync(temporary)
  const child = spawn(program, args, { cwd, env: { ...process.env, TMPDIR: temporary }, stdio: ["ignore", "pipe", 2] })
  let url: string | undefined
  const isThere = () => fetch(`${url}/livez`).then(Boolean, () => false)
  try {
    for await (const line of createInterface(child.stdout as Readable)) {
      url = /http:\S+(?=\/s\/)/.exec(line)?.[0]
      if (url) break
    }
    assert.ok(url && (await isThere()))
    assert.ok(leftIn(temporary).length > 0)
  } finally {
    child.kill("SIGKILL")
  }
  await until(async () => !(await isThere()), "the service of a killed run is there")
  await until(() => leftIn(temporary).length === 0, "its data are there")
}

const leftIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith("petstore-"))

describe("docs/recipes/testing-in-python.md", { skip: python.missing ?? needsSqlite }, () => {
  const installed = join(directory.path, "python")
  test("the plugin is installed, and the page's tests pass", async () => {
    // A copy, because pip builds in the directory of the source.
    cpSync(join(clients, "python"), join(directory.path, "source"), { recursive: true })
    const bin = join(python.path as string, "bin")
    const target = ["--python", join(bin, "python"), "install", "--target", installed, join(directory.path, "source")]
    const options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    await runTool(join(installer.path as string, "bin", "pip"), [...target, ...options], directory.path)
    process.env.PATH = `${bin}:${process.env.PATH}`
    process.env.PYTHONPATH = installed
    await using recipe = await openRecipe("testing-in-python", undefined)
    assert.match(await recipe.run("pytest"), /3 passed/)
    assert.equal(recipe.remaining().length, 1)
  })

  test("they find a request with another key, and say what was sent instead of what was expected", async () => {
    const other = { '"POST", body, **headers': '"POST", body, **{**headers, "idempotency-key": str(uuid.uuid4())}' }
    await using recipe = await openRecipe("testing-in-python", undefined, { ...other, "exactly=1": "exactly=2" })
    const message = /Expected exactly 2 matching requests, found 1\.\n.*Wanted: .*'addPet'.*\n[\s\S]*2 failed, 1 passed/
    await assert.rejects(recipe.run("pytest"), message)
  })

  test("a killed run leaves no service", async () => {
    await using recipe = await openRecipe("testing-in-python", undefined)
    const hanging =
      "import time\ndef test_hanging(petstore):\n    print(petstore.url, flush=True)\n    time.sleep(600)\n"
    writeFileSync(join(recipe.path, "test_hanging.py"), hanging)
    await killHanging(recipe.path, "pytest", "-s", "test_hanging.py")
  })
})

describe("docs/recipes/testing-in-go.md", { skip: missingProgram("go") || needsSqlite }, () => {
  async function openModule(replaced?: Record<string, string>) {
    const recipe = await openRecipe("testing-in-go", undefined, replaced)
    for (const command of recipe.commands.slice(0, -1)) await recipe.run(command)
    return recipe
  }

  test("the page's tests pass", async () => {
    await using recipe = await openModule()
    assert.match(await recipe.run("go test"), /^ok /m)
    assert.deepEqual(recipe.remaining(), [])
  })

  test("they find a request with another key, and say what was sent instead of what was expected", async () => {
    const keyless = { 'if idempotencyKey != ""': "if false" }
    await using recipe = await openModule({ ...keyless, '"exactly": 1': '"exactly": 2' })
    await assert.rejects(recipe.run("go test"), ({ message }: Error) => {
      assert.match(message, /^--- FAIL: TestALostResponseIsRepeatedWithTheSameKey/m)
      assert.match(message, /pets_test\.go:\d+: .*Expected exactly 2 matching requests, found 1\./)
      return true
    })
  })

  test("a killed run leaves no service", async () => {
    await using recipe = await openModule()
    const imports = 'import ("fmt"; "testing"; "time"; "petstore.example/petstoretest")'
    const body = "{ fmt.Println(petstoretest.Start(t).URL); time.Sleep(10 * time.Minute) }"
    const hanging = `package shop\n${imports}\nfunc TestHanging(t *testing.T) ${body}\n`
    writeFileSync(join(recipe.path, "hanging_test.go"), hanging)
    await runTool("go", ["test", "-c", "-o", "hanging"], recipe.path)
    await killHanging(recipe.path, "./hanging", "-test.run=TestHanging")
  })
})

describe("docs/recipes/testing-in-java.md", { skip: java.missing ?? (missingProgram("javac") || needsSqlite) }, () => {
  const library = () => join(java.path as string, jarOf("junit"))

  /** Compiles the extension and the tests of the folder, and returns how to run them. */
  async function compile(folder: string): Promise<string[]> {
    const sources = join(clients, "java", "src", "main", "java", "petstore", "junit")
    const files = [sources, folder].flatMap((directory) => globSync(join(directory, "*.java")))
    const options = [...shortLived.map((option) => `-J${option}`), "--release", "17", "-Xlint:all"]
    await runTool("javac", [...options, "-d", "classes", "-cp", library(), ...files], folder)
    return [...shortLived, "-jar", library(), "execute", "--class-path", "classes", "--disable-banner"]
  }
  async function run(folder: string): Promise<string> {
    return await runTool("java", [...(await compile(folder)), "--scan-class-path"], folder)
  }

  test("the page's tests pass", async () => {
    process.env.MAVEN_OPTS = [`-Dmaven.repo.local=${join(java.path as string, "repository")}`, ...shortLived].join(" ")
    await using recipe = await openRecipe("testing-in-java", undefined)
    await recipe.run("mvn")
    assert.match(await run(recipe.path), /3 tests successful/)
    assert.deepEqual(recipe.remaining(), [])
  })

  test("they find a request with another key, and say what was sent instead of what was expected", async () => {
    const keyless = { '        .header("idempotency-key", UUID.randomUUID().toString())\n': "" }
    await using recipe = await openRecipe("testing-in-java", undefined, { ...keyless, '"exactly": 1': '"exactly": 2' })
    await assert.rejects(run(recipe.path), ({ message }: Error) => {
      assert.match(message, /aLostResponseIsRepeatedWithTheSameKey[\s\S]*2 tests failed/)
      assert.match(message, /AssertionError: .*Expected exactly 2 matching requests, found 1\./)
      return true
    })
  })

  test("a killed run leaves no service", async () => {
    await using recipe = await openRecipe("testing-in-java", undefined)
    const body = "{ System.out.println(petstore.url()); Thread.sleep(600_000); }"
    const hanging = `@org.junit.jupiter.api.extension.ExtendWith(petstore.junit.PetstoreExtension.class)
class HangingTest { @org.junit.jupiter.api.Test void hangs(petstore.junit.Petstore petstore) throws Exception ${body} }`
    writeFileSync(join(recipe.path, "HangingTest.java"), hanging)
    await killHanging(recipe.path, "java", ...(await compile(recipe.path)), "--select-class=HangingTest")
  })
})
