import assert from "node:assert/strict"
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { pathToFileURL } from "node:url"
import { temporaryDirectory } from "../harness/directory.ts"
import {
  clientsDirectory,
  jarOf,
  javaLibraries,
  npmTools,
  oapiCodegen,
  ogen,
  openapiGenerator,
  pythonEnvironment,
  runTool,
  shortLived,
  swaggerCodegen,
  type Tool,
} from "../harness/foreign-tools.ts"
import { before, usePetstore } from "../harness/use.ts"

const installed = (program: string, ...args: string[]): Promise<Tool> =>
  runTool(program, args, clientsDirectory).then(
    () => ({ path: program }),
    (error: Error) => ({ missing: `NOT TESTED, no ${program}: ${error.message}` }),
  )

const tools = {
  npm: await npmTools(),
  generator: await openapiGenerator(),
  swagger: await swaggerCodegen(),
  ogen: await ogen(),
  javac: await installed("javac", "-version"),
  okhttp: await javaLibraries("java-okhttp"),
  spring: await javaLibraries("spring"),
  oapi: await oapiCodegen(),
  python: await pythonEnvironment(),
  go: await installed("go", "version"),
}
/** The reason why a test with these tools is skipped; false when all are installed. */
const missing = (...names: (keyof typeof tools)[]): string | false =>
  names.flatMap((name) => tools[name].missing ?? []).join("\n") || false

const petstore = usePetstore()
const directory = temporaryDirectory()
const inDirectory = (...path: string[]) => join(directory.path, ...path)
const inTool = (name: keyof typeof tools, ...path: string[]) => join(tools[name].path as string, ...path)
const run = (program: string, ...args: string[]) => runTool(program, args, directory.path)
const runNpm = (name: string, ...args: string[]) =>
  run(process.execPath, inTool("npm", "node_modules", ".bin", name), ...args)
const [address, key] = [() => `${petstore.url}/api/v3`, "special-key"]

before(async () => {
  const isSource = (path: string) => !path.includes(".cache")
  cpSync(clientsDirectory, directory.path, { recursive: true, filter: isSource })
  for (const name of ["openapi.json", "openapi.classic.json"])
    writeFileSync(inDirectory(name), await (await fetch(`${petstore.url}/api/v3/${name}`)).text())
})
after(() => directory[Symbol.dispose]())

const javaProgram = (...args: string[]) => run("java", ...shortLived, ...args)

/** What OpenAPI Generator generates, in one process. */
const generated = [
  { generatorName: "typescript-axios", outputDir: "axios", additionalProperties: { importFileExtension: ".js" } },
  { generatorName: "typescript-fetch" },
  { generatorName: "python" },
  { generatorName: "java", outputDir: "okhttp", inputSpec: "openapi.classic.json" },
  { generatorName: "spring", library: "spring-http-interface" },
  { generatorName: "go", additionalProperties: { packageName: "petstore", withGoMod: false } },
]

before(async () => {
  if (missing("generator", "javac")) return
  const noExtras = Object.fromEntries(["apiTests", "modelTests", "apiDocs", "modelDocs"].map((kind) => [kind, "false"]))
  const files = generated.map((each) => {
    const { generatorName, outputDir = generatorName } = each
    const own = { inputSpec: "openapi.json", globalProperties: noExtras, ...each }
    writeFileSync(inDirectory(`${outputDir}.json`), JSON.stringify({ ...own, outputDir: `generated/${outputDir}` }))
    return `${outputDir}.json`
  })
  await javaProgram("-jar", inTool("generator", jarOf("openapi-generator")), "batch", "--fail-fast", ...files)
  renameSync(inDirectory("generated", "go"), inDirectory("go", "petstore"))
})

const done = {
  name: "Rex",
  category: "Dogs",
  status: "available",
  deleted: "Pet deleted",
  absent: "pet-not-found",
  kinds: ["pet.created", "pet.deleted"],
}
const timeout = 180_000
const compiler = join(clientsDirectory, "..", "..", "..", "node_modules", ".bin", "tsc")

/** It looks for the configuration of the compiler, which decides the endings of imports, beside itself. */
const heyApi = {
  input: "openapi.json",
  output: { path: "generated/hey-api", tsConfigPath: inDirectory("tsconfig.json") },
}

/** orval reads the address from `servers`, and can use only one media type of an operation. */
const orval = {
  input: { target: "./openapi.json" },
  output: {
    target: "generated/orval.ts",
    client: "fetch",
    baseUrl: { getBaseUrlFromSpecification: true },
    override: {
      contentType: { include: ["application/json", "application/problem+json", "application/octet-stream"] },
    },
  },
}

const writeConfiguration = (name: string, configuration: object) =>
  writeFileSync(inDirectory(`${name}.config.mjs`), `export default ${JSON.stringify(configuration)}`)

describe("a TypeScript client type-checks strictly and creates, reads and deletes a pet, and lists events", {
  skip: missing("npm"),
}, () => {
  const hasAxios = !missing("generator", "javac")
  before(async () => {
    symlinkSync(inTool("npm", "node_modules"), inDirectory("node_modules"))
    writeConfiguration("hey-api", heyApi)
    writeConfiguration("orval", { petstore: orval })
    await Promise.all([
      runNpm("openapi-typescript", "openapi.json", "--output=generated/openapi-typescript.ts"),
      runNpm("openapi-ts", "--file=hey-api.config.mjs", "--silent", "--no-log-file"),
    ])
    await runNpm("orval", "--config", "orval.config.mjs")
    // It is type-checked by itself.
    const exclude = ["generated/typescript-fetch", ...(hasAxios ? [] : ["with-axios.ts"])]
    writeFileSync(inDirectory("tsconfig.all.json"), JSON.stringify({ extends: "./tsconfig.json", exclude }))
    await run(process.execPath, compiler, "-p", "tsconfig.all.json")
  })

  for (const script of ["with-openapi-fetch", "with-hey-api", "with-orval", "with-axios"])
    test(script, { timeout, skip: script === "with-axios" && missing("generator", "javac") }, async () => {
      const { roundTrip } = await import(pathToFileURL(inDirectory("built", `${script}.js`)).href)
      assert.deepEqual(await roundTrip(address(), key), done)
    })

  test("with-swagger-client calls the nineteen classic operations", { timeout }, async () => {
    const { callAll } = await import(pathToFileURL(inDirectory("with-swagger-client.mjs")).href)
    const statuses = await callAll(`${petstore.url}/api/v3/openapi.classic.json`, key, classicCalls)
    assert.deepEqual(statuses, Object.fromEntries(classicCalls.map(({ operationId }) => [operationId, 200])))
    assert.equal(Object.keys(statuses).length, 19)
  })
})

describe("a client in another language compiles and creates, reads and deletes a pet, and lists events", () => {
  test("TypeScript, by openapi-generator for fetch, type-checks strictly", {
    timeout,
    skip: missing("generator", "javac"),
  }, async () => {
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2022",
      "--module",
      "esnext",
    ]
    const modules = ["--moduleResolution", "bundler", "--lib", "es2022,dom", "generated/typescript-fetch/index.ts"]
    await run(process.execPath, compiler, ...options, ...modules)
  })

  test("TypeScript, by swagger-codegen, has a type for every field", {
    timeout,
    skip: missing("swagger", "javac"),
  }, async () => {
    const jar = inTool("swagger", jarOf("swagger-codegen"))
    const options = ["-i", "openapi.classic.json", "-l", "typescript-axios", "-o", "generated/swagger-codegen"]
    await javaProgram("-jar", jar, "generate", ...options)
    const pet = readFileSync(inDirectory("generated/swagger-codegen/models/pet.ts"), "utf8")
    const fields = [...pet.matchAll(/^ {4}(\w+\??: .+);$/gm)].map(([, field]) => field)
    const [names, status] = [["id: number", "category?: Category", "name: string"], "status: PetStatus"]
    assert.deepEqual(fields, [...names, "photoUrls: Array<string>", "tags: Array<Tag>", status])
  })

  test("Go, by ogen, generates from both descriptions", { timeout, skip: missing("ogen", "go") }, async () => {
    // It does not support an event stream of several messages.
    writeFileSync(inDirectory("ogen.yml"), 'generator: { ignore_not_implemented: ["all"] }\n')
    for (const name of ["openapi.json", "openapi.classic.json"]) {
      const options = ["--config", "ogen.yml", "--package", "petstore", "--clean", "--target"]
      await run(inTool("ogen", "ogen"), ...options, `generated/ogen-${name}`, name)
    }
  })

  test("Python, by openapi-generator", { timeout, skip: missing("generator", "javac", "python") }, async () => {
    await assertPythonDoes("with_openapi_generator.py", "generated/python")
  })

  test("Python, by openapi-python-client", { timeout, skip: missing("python") }, async () => {
    writeFileSync(inDirectory("config.yaml"), "post_hooks: []\n")
    const output = inDirectory("generated", "attrs", "petstore_client")
    const options = ["--path", "openapi.json", "--output-path", output, "--meta", "none", "--config", "config.yaml"]
    mkdirSync(inDirectory("generated", "attrs"), { recursive: true })
    const log = await run(inTool("python", "bin", "openapi-python-client"), "generate", ...options)
    // It omits unknown media types; each of these bodies also has another one.
    const omitted = log.split("\n").filter((line) => /^(ERROR|Unsupported|Cannot|Invalid)/.test(line))
    const expected = ["application/x-ndjson", "application/xml", "image/*"].map(
      (type) => `Unsupported content type ${type}`,
    )
    assert.deepEqual([...new Set(omitted)].sort(), expected)
    await assertPythonDoes("with_openapi_python_client.py", "generated/attrs")
  })

  test("Go, by openapi-generator", { timeout, skip: missing("generator", "javac", "go") }, async () => {
    await runTool("go", ["build", "-mod=readonly", "-o", "client", "."], inDirectory("go"))
    assert.deepEqual(JSON.parse(await run(inDirectory("go", "client"), address(), key)), done)
  })
})

describe("a client in another language calls the nineteen classic operations", () => {
  const operations = () => classicCalls.map(({ operationId }) => operationId)

  test("Java, by openapi-generator with its default library, which rejects unknown members", {
    timeout,
    skip: missing("generator", "javac", "okhttp"),
  }, async () => {
    const sources = ["generated/okhttp/src/main", "java-okhttp"]
    assert.deepEqual(await runJava(sources, inTool("okhttp")), operations())
  })

  test("Java, by openapi-generator for Spring", {
    timeout,
    skip: missing("generator", "javac", "spring"),
  }, async () => {
    const sources = ["api", "model"].map((name) => `generated/spring/src/main/java/org/openapitools/${name}`)
    assert.deepEqual(await runJava([...sources, "spring"], inTool("spring")), operations())
  })

  test("Go, by oapi-codegen", { timeout, skip: missing("oapi", "go") }, async () => {
    const [program, output] = [inDirectory("go-oapi-codegen"), inDirectory("go-oapi-codegen", "petstore")]
    mkdirSync(output)
    const options = ["-generate", "types,client,skip-prune", "-package", "petstore", "-o", join(output, "petstore.go")]
    await run(inTool("oapi", "oapi-codegen"), ...options, "openapi.json")
    await runTool("go", ["build", "-mod=readonly", "-o", "client", "."], program)
    assert.deepEqual(JSON.parse(await run(join(program, "client"), address(), key)), operations())
  })
})

/** Compiles the sources in these directories, and returns what the program prints as JSON. */
async function runJava(directories: string[], libraries: string): Promise<unknown> {
  const [classes, list] = [`classes-${directories.at(-1)}`, `${directories.at(-1)}.txt`]
  const classpath = `${libraries}/*:${classes}`
  writeFileSync(inDirectory(list), (await run("find", ...directories, "-name", "*.java")).trim())
  const compiler = [...shortLived.map((option) => `-J${option}`), "-nowarn", "-proc:none", "-parameters"]
  await run("javac", ...compiler, "-d", classes, "-cp", classpath, `@${list}`)
  return JSON.parse(await javaProgram("-cp", classpath, "AllOperations", address(), key))
}

async function assertPythonDoes(script: string, library: string): Promise<void> {
  const python = inTool("python", "bin", "python3")
  await run(python, "-m", "compileall", "-q", library)
  const program = `import sys; sys.path.insert(0, ${JSON.stringify(library)}); sys.argv.pop(0); exec(open(sys.argv[0]).read())`
  assert.deepEqual(JSON.parse(await run(python, "-c", program, inDirectory("python", script), address(), key)), done)
}

const rex = { name: "Rex", photoUrls: [] }
const ada = { username: "ada", password: "correct horse" }

/** Each classic operation once, in an order in which all succeed. */
const classicCalls = [
  { operationId: "addPet", requestBody: { ...rex, id: 4711 } },
  { operationId: "updatePet", requestBody: { ...rex, id: 4711, name: "Max" } },
  { operationId: "findPetsByStatus", parameters: { status: ["available", "sold"] } },
  { operationId: "findPetsByTags", parameters: { tags: ["friendly", "small"] } },
  { operationId: "getPetById", parameters: { petId: 4711 } },
  { operationId: "updatePetWithForm", parameters: { petId: 4711, name: "Moritz" } },
  {
    operationId: "uploadFile",
    parameters: { petId: 4711 },
    requestBody: { file: new File([smallestImage()], "photo.gif") },
  },
  { operationId: "getInventory" },
  { operationId: "placeOrder", requestBody: { id: 4711, petId: 4711 } },
  { operationId: "getOrderById", parameters: { orderId: 4711 } },
  { operationId: "deleteOrder", parameters: { orderId: 4711 } },
  { operationId: "deletePet", parameters: { petId: 4711 } },
  { operationId: "createUser", requestBody: ada },
  { operationId: "createUsersWithListInput", requestBody: [{ ...ada, username: "grace" }] },
  { operationId: "loginUser", parameters: ada },
  { operationId: "getUserByName", parameters: { username: "ada" } },
  { operationId: "updateUser", parameters: { username: "ada" }, requestBody: { firstName: "Ada" } },
  { operationId: "deleteUser", parameters: { username: "ada" } },
  { operationId: "logoutUser" },
]

/** One transparent pixel. */
function smallestImage() {
  return new Uint8Array(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"))
}
