import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { composeLoader, kubernetesValidator, runTool, type Tool } from "../harness/foreign-tools.ts"

const root = join(import.meta.dirname, "..", "..")
const deploy = join(root, "deploy")
const textOf = (name: string) => readFileSync(join(deploy, name), "utf8")
const installed = (program: string, ...args: string[]): Promise<Tool> =>
  runTool(program, args, root).then(
    () => ({ path: program }),
    () => ({ missing: `NOT TESTED, no ${program}` }),
  )

const tools = {
  compose: await composeLoader(),
  kubernetes: await kubernetesValidator(),
  nginx: await installed("nginx", "-v"),
  systemd: await installed("systemd-analyze", "--version"),
}
const skip = (name: keyof typeof tools) => tools[name].missing ?? false

/** Writes changed deployment files into a temporary directory and runs `work` there. */
async function inCopy<T>(files: Record<string, string>, work: (path: string) => Promise<T>): Promise<T> {
  using directory = temporaryDirectory()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory.path, name), text)
  return await work(directory.path)
}

test("every field of every Kubernetes manifest is valid", { skip: skip("kubernetes") }, async () => {
  const program = join(tools.kubernetes.path as string, "bin", "kubernetes-validate")
  const validate = (...files: string[]) => runTool(program, ["--strict", ...files], join(deploy, "kubernetes"))
  const output = await validate("configuration.yaml", "petstore.yaml", "secret.yaml.example")
  for (const kind of ["configmap", "secret", "deployment", "service", "poddisruptionbudget"])
    assert.match(output, new RegExp(`passed for resource ${kind}/petstore`))

  const wrong = textOf("kubernetes/petstore.yaml").replace("runAsNonRoot", "runAsNoneRoot")
  await inCopy({ "wrong.yaml": wrong }, (path) => assert.rejects(validate(join(path, "wrong.yaml")), /runAsNoneRoot/))
})

test("Compose loads its file, and every network, volume and service it refers to exists", {
  skip: skip("compose"),
}, async () => {
  const load = (text: string) =>
    inCopy({ "compose.yaml": text.replace(/\$\{\w+:\?[^}]*\}/g, "x"), "nginx.conf": "" }, (path) =>
      runTool(join(tools.compose.path as string, "cmd"), ["-format=json", join(path, "compose.yaml")], path),
    )
  const { services, networks, volumes }: Loaded = JSON.parse(await load(textOf("compose.yaml")))
  assert.deepEqual(
    Object.keys(services).sort(),
    ["balancer", "petstore-1", "petstore-2", "petstore-3", "postgres", "s3", "valkey"].sort(),
  )
  for (const service of Object.values(services)) {
    assert.ok(Object.keys(service.networks).every((name) => name in networks))
    assert.ok(
      Object.keys(service.depends_on ?? {}).every(
        (name) => services[name]?.healthcheck ?? name.startsWith("petstore-"),
      ),
    )
    for (const { type, source } of service.volumes ?? []) assert.ok(type === "bind" || source in volumes, source)
    assert.equal(service.restart, "unless-stopped")
  }
  const sandbox: Loaded = JSON.parse(await load(textOf("compose.sandbox.yaml")))
  assert.equal(sandbox.services.petstore?.environment.PETSTORE_PROFILE, "sandbox")
  await assert.rejects(load(textOf("compose.yaml").replace("stop_grace_period", "stop_grace")), /stop_grace/)
})

type Loaded = {
  services: Record<
    string,
    {
      networks: Record<string, unknown>
      depends_on?: Record<string, unknown>
      volumes?: { type: string; source: string }[]
      healthcheck?: unknown
      restart: string
      environment: Record<string, string>
    }
  >
  networks: Record<string, unknown>
  volumes: Record<string, unknown>
}

test("nginx accepts its configuration", { skip: skip("nginx") }, async () => {
  const check = (text: string) =>
    inCopy({}, (path) => {
      const file = join(path, "nginx.conf")
      writeFileSync(file, text.replace(/petstore-\d:/g, "127.0.0.1:").replaceAll("/tmp/", `${path}/`))
      return runTool("nginx", ["-t", "-c", file], path)
    })
  assert.match(await check(textOf("nginx.conf")), /test is successful/)
  await assert.rejects(check(textOf("nginx.conf").replace("least_conn", "most_conn")), /most_conn/)
})

test("nginx accepts the server of the handbook", { skip: skip("nginx") }, async () => {
  const handbook = readFileSync(join(root, "docs", "install.md"), "utf8")
  const [, server = ""] = /^```nginx\n(.*?)^```/ms.exec(handbook) ?? []
  const check = (text: string) =>
    inCopy({}, (path) => {
      const bare = text.replace(/^ *ssl_certificate.*$/gm, "").replace("443 ssl", "127.0.0.1:8080")
      const file = join(path, "nginx.conf")
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${path}/t;`,
      )
      writeFileSync(
        file,
        `pid ${path}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(" ")} ${bare} }`,
      )
      return runTool("nginx", ["-t", "-c", file], path)
    })
  assert.match(await check(server), /test is successful/)
  await assert.rejects(check(server.replace("underscores", "underlines")), /underlines/)
})

test("systemd accepts the unit and rates its exposure as low", { skip: skip("systemd") }, async () => {
  const check = (text: string, ...args: string[]) =>
    inCopy(
      { "petstore.service": text.replace("/opt/petstore/bin/petstore ", `${join(root, "bin", "petstore")} `) },
      (path) => runTool("systemd-analyze", ["--no-pager", ...args, join(path, "petstore.service")], path),
    )
  const unit = textOf("petstore.service")
  assert.equal(await check(unit, "verify", "--man=no"), "")
  assert.match(await check(unit.replace("ProtectHome", "ProtectHouse"), "verify", "--man=no"), /ProtectHouse/)
  await check(unit, "security", "--offline=true", "--threshold=15")
  await assert.rejects(check(unit.replace("User=petstore", ""), "security", "--offline=true", "--threshold=15"))
})

test("the container's files start as an unprivileged user that cannot write them, without a registry", async () => {
  using image = temporaryDirectory()
  chmodSync(image.path, 0o755)
  const [app, data] = [join(image.path, "app"), join(image.path, "data")]
  const file = textOf("Containerfile")
  const [base = "", program = "", packages = "", final = ""] = file.split(/^FROM .*$/m).slice(1)
  // The program is built with the packages of this checkout, which its first command finds complete.
  const built = join(image.path, "program")
  mkdirSync(built)
  symlinkSync(join(root, "node_modules"), join(built, "node_modules"))
  await runStage(base + program, built)
  await runStage(base + packages, app)
  cpSync(join(built, "dist"), join(app, "dist"), { recursive: true })
  const tables = "docs/results/tables.json"
  cpSync(join(root, tables), join(app, tables))
  assert.deepEqual(
    [...final.matchAll(/^COPY (.*)$/gm)].map(([, copied]) => copied),
    ["--from=packages /app /app", "--from=program /app/dist /app/dist", `${tables} /app/${tables}`],
  )

  // Only root can switch to another user.
  const user = process.getuid?.() === 0 ? { uid: 10001, gid: 10001 } : {}
  mkdirSync(data)
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
  const fromFile = Object.fromEntries(
    [...final.matchAll(/(PETSTORE_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  const own = { PETSTORE_PUBLIC_URL: "http://localhost", PETSTORE_HOST: "127.0.0.1", PETSTORE_PORT: "0" }
  const argumentsOf = (instruction: RegExp): string[] =>
    JSON.parse((instruction.exec(final)?.[1] ?? "[]").replaceAll("/app/", `${app}/`))
  const [command = "", ...args] = [...argumentsOf(/^ENTRYPOINT (.*)$/m), ...argumentsOf(/^CMD (.*)$/m)]
  const child = spawn(command, args, {
    ...user,
    cwd: app,
    env: { ...fromFile, ...own, PETSTORE_DATA_DIR: data, PATH: "" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    const port = await portOf(child)
    const [node = "", ...check] = argumentsOf(/^ {2}CMD (.*)$/m)
    const healthy = (at: string) => spawnSync(node, check, { env: { PETSTORE_PORT: at } }).status
    assert.deepEqual({ port: healthy(port), "1": healthy("1") }, { port: 0, "1": 1 })
    assert.equal((await fetch(`http://127.0.0.1:${port}/docs/results`)).status, 200)
    child.kill("SIGTERM")
    assert.deepEqual(await once(child, "close"), [0, null])
  } finally {
    child.kill("SIGKILL")
  }
})

const installTimeoutMs = 300_000

/** Runs the instructions of a stage in a folder. */
async function runStage(instructions: string, folder: string): Promise<void> {
  const paths = [...instructions.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, copied = ""]) => copied.split(" "))
  assert.ok(paths.length > 4)
  for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const [, command = ""] of instructions.matchAll(/^RUN (.+)$/gm))
    await runTool(
      "sh",
      ["-c", `PATH=${join(root, "node_modules", ".bin")}:$PATH; ${command}`],
      folder,
      installTimeoutMs,
    )
}

/** The port from the service's log. */
async function portOf({ stdout }: { stdout: Readable }): Promise<string> {
  let output = ""
  for await (const line of createInterface({ input: stdout })) {
    output += `${line}\n`
    const [, port] = /"address":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(line) ?? []
    if (port !== undefined) {
      stdout.resume()
      return port
    }
  }
  return assert.fail(`ended without listening: ${output}`)
}
