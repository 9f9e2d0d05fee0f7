import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { UsageError } from "../command/command.ts"
import { openSource, readSource } from "./source.ts"

const none = (async function* () {})()
const chunksOf = (text: string) => ({
  chunks: async function* () {
    yield Buffer.from(text)
  },
})

test("a file has the number of its lines, whichever characters end them, and a fingerprint of its bytes", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "pets")
  const opened = async (text: string) => {
    writeFileSync(file, text)
    return openSource(file, none)
  }
  for (const [text, lines] of [
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n\na\n", 3],
    ["a\r\nb\r\n", 2],
    ["a\r\nb", 2],
    ["a\rb\rc", 3],
    ["a\rb\r", 2],
  ] as const)
    assert.equal((await opened(text)).lines, lines, JSON.stringify(text))
  const [one, same, other] = [await opened("a\n"), await opened("a\n"), await opened("b\n")]
  assert.match(one.fingerprint, /^[\w-]{22}$/)
  assert.deepEqual([one.fingerprint === same.fingerprint, one.fingerprint === other.fingerprint], [true, false])
  assert.equal(String(await Array.fromAsync(other.chunks())), "b\n")
  await assert.rejects(
    openSource("/nowhere.csv", none),
    new UsageError("the file cannot be read: /nowhere.csv does not exist"),
  )
})

test("standard input is read once, so it has no number of lines and a random fingerprint", async () => {
  const [one, other] = [await openSource("-", none), await openSource("-", none)]
  assert.deepEqual([one.lines, one.chunks()], [undefined, none])
  assert.notEqual(one.fingerprint, other.fingerprint)
})

test("each line has a mark made from its bytes, a blank one none, and the number of lines is bounded", async () => {
  const { columns, lines } = await readSource(chunksOf('{"name":"A"}\n\n{"name":"A"}\n{"name":"B"}\n'), {})
  const marked = await Array.fromAsync(lines)
  const [first = "", , , other = ""] = marked.map(({ mark }) => mark)
  assert.equal(columns, undefined)
  assert.deepEqual(
    marked.map(({ line, mark }) => [line.number, mark]),
    [
      [1, first],
      [2, ""],
      [3, `${first}.2`],
      [4, other],
    ],
  )
  assert.match(`${first} ${other}`, /^[\w-]{22} [\w-]{22}$/)
  assert.notEqual(first, other)
  const many = chunksOf('{"name":"A"}\n\n{"name":"B"}\n')
  assert.equal((await Array.fromAsync((await readSource(many, {}, 3)).lines)).length, 3)
  const tooMany = (await readSource(many, {}, 2)).lines
  await assert.rejects(Array.fromAsync(tooMany), new RangeError("more than 2 lines; split the file"))
})

test("a line that is too long for the service has a mark made from its number", async () => {
  const long = (padding: string) => `{"padding":"${padding.repeat(200_000)}"}\n`
  const marks = async (text: string) =>
    (await Array.fromAsync((await readSource(chunksOf(text), {})).lines)).map(({ mark }) => mark)
  const [[one, two], [same]] = [await marks(`{"name":"A"}\n${long("x")}`), await marks(`{"name":"A"}\n${long("y")}`)]
  assert.equal(one, same)
  assert.equal(two, (await marks(`{"name":"A"}\n${long("y")}`))[1])
  assert.notEqual(two, (await marks(`{"name":"A"}\n\n${long("x")}`))[2])
})

test("a file that contains no pets is a wrong use, other errors are not", async () => {
  await assert.rejects(readSource(chunksOf("Once upon a time\n"), {}), (error: Error) => {
    return error instanceof UsageError && error.message.startsWith("The file must be NDJSON, a JSON array, or CSV")
  })
  const broken = {
    // biome-ignore lint/correctness/useYield: it fails first
    chunks: async function* () {
      throw new Error("broken")
    },
  }
  await assert.rejects(readSource(broken, {}), new Error("broken"))
})
