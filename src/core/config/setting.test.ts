import assert from "node:assert/strict"
import { test } from "node:test"
import { describeDefault, isFromKubernetes, type Kind, Refusal, readTopic, type Setting } from "./setting.ts"

const kind = (because?: ConstructorParameters<typeof Refusal>[0]): Kind<string> => ({
  form: "a word",
  parse: (text) => (/^\w+$/.test(text) ? text.toUpperCase() : new Refusal(because)),
})
const settingOf = (more: Partial<Setting> = {}): Setting => ({
  variable: "PETSTORE_A",
  kind: kind(),
  meaning: "",
  ...more,
})
const read = (setting: Setting, env: Record<string, string>, isProduction = false) =>
  readTopic({ setting }, env, isProduction).setting

test("a setting is read from its variable, otherwise it has the default of the profile or none", () => {
  const both = settingOf({ default: "s", inProduction: "p" })
  assert.equal(read(settingOf({ default: "d" }), { PETSTORE_A: "own" }), "OWN")
  assert.equal(read(settingOf({ default: "d" }), { PETSTORE_A: "" }), "D")
  assert.deepEqual([read(both, {}), read(both, {}, true)], ["S", "P"])
  assert.equal(read(settingOf(), {}), undefined)
  assert.ok(Object.isFrozen(readTopic({ setting: settingOf() }, {})))
})

test("a refusal names the variable, what is wrong with it and the form, but no secret", () => {
  for (const [because, message] of [
    [undefined, 'PETSTORE_A is "a b"; it must be a word'],
    [{ part: "b" }, 'PETSTORE_A holds "b"; it must be a word'],
    [{ reason: "no" }, 'PETSTORE_A is "a b"; no'],
    [{ part: "b", reason: "no" }, 'PETSTORE_A holds "b"; no'],
    [{ isSecret: true }, "PETSTORE_A must be a word"],
    [{ isSecret: true, reason: "no" }, "PETSTORE_A no"],
  ] as const)
    assert.throws(() => read(settingOf({ kind: kind(because) }), { PETSTORE_A: "a b" }), { message })
})

test("documentation shows the default, of both profiles where they differ", () => {
  for (const [more, shown] of [
    [{}, "none"],
    [{ default: "" }, "none"],
    [{ default: "d" }, "d"],
    [{ default: "d", otherwise: "o" }, "o"],
    [{ otherwise: "o" }, "o"],
    [{ default: "s", inProduction: "p" }, "p (sandbox: s)"],
    [{ default: "", inProduction: "p" }, "p (sandbox: none)"],
    [{ default: "s", inProduction: "" }, "none (sandbox: s)"],
  ] as const)
    assert.equal(describeDefault(settingOf(more)), shown)
})

test("the variables that Kubernetes sets are recognised by their names, and a port by its value", () => {
  for (const [name, value, isFrom] of [
    ["PETSTORE_SERVICE_HOST", "10.0.0.1", true],
    ["PETSTORE_SERVICE_PORT", "80", true],
    ["PETSTORE_SERVICE_PORT_HTTP_2", "80", true],
    ["PETSTORE_PORT_80_TCP", "x", true],
    ["PETSTORE_PORT_80_UDP_ADDR", "x", true],
    ["PETSTORE_PORT", "tcp://10.0.0.1:80", true],
    ["PETSTORE_PORT", "80", false],
    ["PETSTORE_PORT", "http://10.0.0.1", false],
    ["PETSTORE_PORT", undefined, false],
    ["PETSTORE_PORTS", "tcp://10.0.0.1:80", false],
    ["PETSTORE_PORT_80_TCP_NAME", "x", false],
    ["PETSTORE_SERVICE_HOSTS", "x", false],
  ] as const)
    assert.equal(isFromKubernetes(name, { [name]: value }), isFrom, `${name}=${value}`)
})

test("a setting whose variable Kubernetes has set has its default", () => {
  const port = settingOf({ variable: "PETSTORE_PORT", default: "d" })
  assert.equal(read(port, { PETSTORE_PORT: "tcp://10.0.0.1:80" }), "D")
})
