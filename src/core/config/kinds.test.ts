import assert from "node:assert/strict"
import { resolve } from "node:path"
import { test } from "node:test"
import { databaseUrl } from "./addresses.ts"
import { blobUrl } from "./images.ts"
import {
  cidrs,
  days,
  hostNames,
  hours,
  integer,
  key256,
  mebibytes,
  oneOf,
  onOrOff,
  orUnlimited,
  path,
  port,
  quota,
  seconds,
} from "./kinds.ts"
import { type Kind, Refusal } from "./setting.ts"

/** The values of texts; "refused" for one that is refused. */
const valuesOf = <T>(kind: Kind<T>, texts: readonly string[]) =>
  texts.map((text) => {
    const value = kind.parse(text)
    return value instanceof Refusal ? "refused" : value
  })

test("a number is whole and in its range, bounds included", () => {
  const kind = integer({ min: 2, max: 10 })
  assert.equal(kind.form, "a whole number from 2 to 10")
  assert.deepEqual(valuesOf(kind, ["2", "10", "007"]), [2, 10, 7])
  for (const text of ["1", "11", "", "-2", "2.5", "1e1", " 2", "0000000002"])
    assert.deepEqual(valuesOf(kind, [text]), ["refused"], text)
})

test("durations and sizes are in their unit", () => {
  assert.deepEqual(
    [seconds({ min: 0, max: 9 }), hours({ min: 0, max: 9 }), days({ min: 0 }), mebibytes].map((kind) =>
      kind.parse("2"),
    ),
    [2_000, 7_200_000, 172_800_000, 2_097_152],
  )
  assert.deepEqual(valuesOf(days({ min: 1 }), ["0", "1", "3650", "3651"]), [
    "refused",
    86_400_000,
    315_360_000_000,
    "refused",
  ])
  assert.equal(mebibytes.form, "a whole number of MiB from 0 to 999999999")
  assert.deepEqual(valuesOf(mebibytes, ["0", "999999999", "1000000000"]), [0, 999_999_999 * 1_048_576, "refused"])
  assert.deepEqual(valuesOf(port, ["0", "65535", "65536"]), [0, 65_535, "refused"])
})

test("a word may stand for no limit", () => {
  const kind = orUnlimited(integer({ min: 1, max: 9 }))
  assert.equal(kind.form, "unlimited, or a whole number from 1 to 9")
  assert.deepEqual(valuesOf(kind, [" unlimited ", "5", "none"]), [undefined, 5, "refused"])
})

test("a choice is one of its words", () => {
  assert.deepEqual(valuesOf(onOrOff, ["on", "off", "ON", "toString", ""]), [
    true,
    false,
    "refused",
    "refused",
    "refused",
  ])
  const kind = oneOf("json", "text")
  assert.equal(kind.form, "json or text")
  assert.deepEqual(valuesOf(kind, ["json", "text", "xml"]), ["json", "text", "refused"])
})

test("a path is absolute", () => assert.equal(path.parse("x"), resolve("x")))

test("every setting that is a path refuses one that only a shell would replace, and names $HOME", () => {
  for (const [kind, prefix] of [
    [path, ""],
    [databaseUrl, "sqlite:"],
    [blobUrl, "file:"],
  ] as const) {
    for (const home of ["~", "~/x", "~root/x", "~\\x"]) {
      const value = kind.parse(prefix + home)
      assert.match(value instanceof Refusal ? (value.because.reason ?? "") : "", /\$HOME/, prefix + home)
    }
    for (const other of ["./~", "/~/x", "./~x"]) assert.ok(!(kind.parse(prefix + other) instanceof Refusal), other)
  }
})

test("host names are compared in lower case, and have no ports or patterns", () => {
  assert.deepEqual(valuesOf(hostNames, ["", " Pets.Example, my_pets ,"]), [[], ["pets.example", "my_pets"]])
  for (const text of ["a:80", "*.a", "http://a", "a b", ".a"])
    assert.deepEqual(valuesOf(hostNames, [text]), ["refused"])
})

const becauseOf = <T>(kind: Kind<T>, text: string) => {
  const value = kind.parse(text)
  return value instanceof Refusal ? value.because : undefined
}

test("a list of address blocks may have spaces; the first invalid one is named", () => {
  assert.deepEqual(cidrs.parse(""), [])
  assert.deepEqual(cidrs.parse("10.0.0.0/8 , ::1"), ["10.0.0.0/8", "::1"])
  assert.deepEqual(becauseOf(cidrs, "10.0.0.0/8, a, b"), { part: "a" })
  assert.deepEqual(becauseOf(cidrs, "10.0.0.0/8,"), { part: "" })
})

test("a key is 32 bytes in base64 or base64url", () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n))
  for (const text of [bytes.toString("base64"), bytes.toString("base64url")])
    assert.deepEqual(Buffer.from(key256.parse(text) as Uint8Array), bytes)
  for (const text of ["", "x".repeat(42), "x".repeat(44), `${"x".repeat(43)}==`, `${"x".repeat(42)}!`])
    assert.deepEqual(becauseOf(key256, text), { isSecret: true }, text)
})

test("a quota is of a minute and of a day, up to 60,000 and 10,000,000", () => {
  assert.deepEqual(valuesOf(quota, ["1/minute, 1/day", " 60000 / min ,10000000/ day "]), [
    { minute: 1, day: 1 },
    { minute: 60_000, day: 10_000_000 },
  ])
  for (const text of [
    "60001/minute, 1/day",
    "1/minute, 10000001/day",
    "0/minute, 1/day",
    "1/minute, 0/day",
    "1/day, 1/minute",
    "1/minute",
    "",
  ])
    assert.deepEqual(valuesOf(quota, [text]), ["refused"], text)
})
