import { after, afterEach, beforeEach, before as start } from "node:test"
import { type StartOptions, startPetstore } from "./petstore.ts"

/** Whether the tests of a file, or of a `describe`, share one of something, or each gets its own. */
type Sharing = "shared" | "one for each test"

/** A whole service for the tests of this file or `describe`; clients made with `as` may be made before it is started. */
export function usePetstore(
  options: StartOptions | (() => StartOptions) = {},
  sharing: Sharing = "shared",
): Awaited<ReturnType<typeof startPetstore>> {
  const current = register(() => startPetstore(typeof options === "function" ? options() : options), sharing)
  return forward(current, { as: (...args) => forward(() => current().as(...args)) })
}

/** Opens something before the tests of this file or `describe` and disposes of it after them, whatever else fails to open. */
export const use = <T extends AsyncDisposable>(open: () => Promise<T>, sharing: Sharing = "shared"): T =>
  forward(register(open, sharing))

/** Like `before` of node:test, which starts all of a file's at once: this one waits for those that stand above it. */
export const before = (prepare: () => unknown): void =>
  start(() => {
    // Whatever failed before: it may have been another file's.
    prepared = prepared.catch(() => {}).then(prepare)
    return prepared
  })

let prepared: Promise<unknown> = Promise.resolve()

function register<T extends AsyncDisposable>(open: () => Promise<T>, sharing: Sharing): () => T {
  let opened: T | undefined
  const isShared = sharing === "shared"
  ;(isShared ? before : beforeEach)(async () => {
    opened = await open()
  })
  ;(isShared ? after : afterEach)(async () => {
    await opened?.[Symbol.asyncDispose]()
    opened = undefined
  })
  return () => {
    if (!opened) throw new Error("used before it was opened; is `before` the one of this file?")
    return opened
  }
}

/** Stands for something that is not open yet: each property is looked up when it is read, except those given here. */
const forward = <T extends object>(current: () => T, given: Partial<T> = {}): T =>
  new Proxy(given as T, {
    get(_target, name) {
      const source = Object.hasOwn(given, name) ? given : current()
      return Reflect.get(source, name, source)
    },
  })
