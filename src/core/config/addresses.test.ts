import assert from "node:assert/strict"
import { resolve } from "node:path"
import { test } from "node:test"
import { contact, databaseUrl, httpUrl, issuer, otlpEndpoint, pathIn, redisUrl } from "./addresses.ts"
import { type Kind, Refusal } from "./setting.ts"

/** Each text with its value; undefined for one that is refused. */
function assertRead<T>(kind: Kind<T>, cases: readonly (readonly [text: string, value: unknown])[]) {
  for (const [text, value] of cases) {
    const read = kind.parse(text)
    assert.deepEqual(read instanceof Refusal ? undefined : read, value, text)
  }
}
const asWritten = (...texts: string[]) => texts.map((text) => [text, text] as const)
const refused = (...texts: string[]) => texts.map((text) => [text, undefined] as const)

test("an address of the service is http or https without query, and loses its trailing slashes", () => {
  assertRead(httpUrl, [
    ["https://a.example", "https://a.example"],
    ["HTTP://A.example:80/base//", "http://a.example/base"],
    ...refused("ftp://a.example", "xhttp://a", "httpsx://a", "https://a?b", "https://a#b", "a.example", ""),
  ])
})

test("a contact is an address for people", () => {
  assertRead(contact, [
    ...asWritten("mailto:a@b.example", "tel:+1234", "https://a.example/report"),
    ...refused("http://a.example", "a@b.example", "mailto:", "mailto:a b", "https://", "xmailto:a@b"),
  ])
})

test("a collector is http or https", () => {
  assertRead(otlpEndpoint, [...asWritten("http://a:4318", "https://a/x?y"), ...refused("grpc://a:4317", "a:4318", "")])
})

test("an issuer is https, or http on this machine, without query", () => {
  assertRead(issuer, [
    ...asWritten(
      "https://a.example/",
      "https://a.example/x",
      "http://localhost:1",
      "http://127.0.0.1",
      "http://[::1]:1",
    ),
    ...refused("http://a.example", "ftp://localhost", "https://a?b", "http://localhost?b", "https://a#b", "a", ""),
  ])
})

test("a database is a file of SQLite or a URL of PostgreSQL; a refused one with a password is secret", () => {
  const postgres = (url: string) => [url, { kind: "postgres", url }] as const
  assertRead(databaseUrl, [
    ["sqlite:x.db", { kind: "sqlite", file: resolve("x.db") }],
    ...["postgres://a/b", "postgresql://a:1,b:2/c", "postgres://me:x@a/b"].map(postgres),
    ...refused(
      "sqlite:",
      "postgres:/a",
      "xpostgres://a/b",
      "postgres://a:x/b",
      "postgres://a,b:x/c",
      "mysql://a/b",
      "",
    ),
  ])
  for (const [text, isSecret] of [
    ["mysql://me:x@a", true],
    ["mysql://a", false],
  ] as const) {
    const refusal = databaseUrl.parse(text)
    assert.deepEqual(refusal instanceof Refusal && refusal.because.isSecret, isSecret)
  }
})

test("a Redis server has a host, and a database by its number", () => {
  assertRead(redisUrl, [
    ...asWritten("redis://a", "rediss://me:x@a:1/0", "redis://a/", "redis://a/1234"),
    ...refused("redis://a/12345", "redis://a/b", "redis:///1", "http://a", "redis:", ""),
  ])
})

test("a path in a URL is absolute, and not empty", () => {
  assert.deepEqual(
    ["file:x", "file:/x", "file:", "x"].map((url) => pathIn("file:", url)),
    [resolve("x"), "/x", undefined, undefined],
  )
})
