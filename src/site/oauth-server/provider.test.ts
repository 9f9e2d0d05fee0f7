import assert from "node:assert/strict"
import { generateKeyPairSync, hash } from "node:crypto"
import type { EventEmitter } from "node:events"
import { test } from "node:test"
import { authorizationServer, type ProviderDeps } from "./provider.ts"

/** An authorization server without storage, and what it logs. */
function open() {
  const logged: unknown[][] = []
  const log =
    (level: string) =>
    ({ err }: { err: Error }, text: string) =>
      logged.push([level, err.message, text])
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const key = { ...privateKey.export({ format: "jwk" }), kid: "one", alg: "ES256", use: "sig" }
  const deps = { log: { error: log("error"), warn: log("warn") }, hasKnownKeys: true } as unknown as ProviderDeps
  return { provider: authorizationServer("https://pets.example/oauth", [key], deps), logged }
}

test("failures of the authorization server and of its connections are logged", () => {
  const { provider, logged } = open()
  provider.emit("server_error", {}, new Error("a bug"))
  const events: EventEmitter = provider
  events.emit("error", new Error("the client left"))
  assert.deepEqual(logged, [
    ["error", "a bug", "authorization server failed"],
    ["warn", "the client left", "a response of the authorization server was cut off"],
  ])
})

test("the address of a request is that which its headers report, and a secret is compared with the hashes of a client", () => {
  const { provider } = open()
  assert.equal(provider.proxy, true)
  const { compareClientSecret } = provider.Client.prototype
  const compare = (clientSecret: string | undefined, secret: string) =>
    compareClientSecret.call({ clientSecret } as InstanceType<typeof provider.Client>, secret)
  assert.deepEqual(
    [compare(hash("sha256", "s"), "s"), compare(hash("sha256", "s"), "t"), compare(undefined, "s")],
    [true, false, false],
  )
})
