import { after, afterEach, beforeEach, before as start } from "node:test"
import { type StartOptions, startPetstore } from "./petstore.ts"

/** Whether the tests of a file or a `describe` share one instance, or each has a new one. */
type Sharing = "shared" | "one for each test"

/** A whole service for the tests of this file or `describe`; `as` can be called before it is started. */
export function usePetstore(
  options: StartOptions | (() => StartOptions) = {},
  sharing: Sharing = "shared",
): Awaited<ReturnType<typeof startPetstore>> {
  const current = register(() => startPetstore(typeof options === "function" ? options() : options), sharing)
  return forward(current, { as: (...args) => forward(() => current().as(...args)) })
}

/** Opens a resource before the tests of this file or `describe` and disposes of it after them, even when another fails to open. */
export const use = <T extends AsyncDisposable>(open: () => Promise<T>, sharing: Sharing = "shared"): T =>
  forward(register(open, sharing))

/** Replaces `before` of node:test, which starts all hooks of a file at once: this one waits for the hooks above it. */
export const before = (prepare: () => unknown): void =>
  start(() => {
    // Continues after an earlier failure, which may belong to another file.
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

/** A proxy for an object that is opened later: it looks up each property when it is read, except those in `own`. */
const forward = <T extends object>(current: () => T, own: Partial<T> = {}): T =>
  new Proxy(own as T, {
    get(_target, name) {
      const source = Object.hasOwn(own, name) ? own : current()
      return Reflect.get(source, name, source)
    },
  })
