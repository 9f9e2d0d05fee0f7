import assert from "node:assert/strict"
import { test } from "node:test"

/** Records which methods of a port a suite calls, so that the suite fails while one is never called. */
export type Recording = {
  /** The same port, with every call recorded. Methods of contained objects are recorded as `repository.method`. */
  watch<Port extends object>(port: Port): Port
  /** The methods that were never called. */
  uncalled(): string[]
}

export function recording(): Recording {
  const known = new Set<string>()
  const called = new Set<string>()

  function proxy<Port extends object>(port: Port, prefix = ""): Port {
    return new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof key === "symbol" || value === null) return value
        if (isPart(value)) return proxy(value, `${prefix}${key}.`)
        if (typeof value !== "function") return value
        return (...args: unknown[]) => {
          called.add(prefix + key)
          // `this` is the port itself, so that a method's own calls are not recorded.
          return Reflect.apply(value, target, args)
        }
      },
    })
  }

  return {
    watch(port) {
      for (const name of methodsOf(port)) known.add(name)
      return proxy(port)
    },
    uncalled: () => [...known.difference(called)],
  }
}

/** Ends a suite: fails when the tests before it never called a method of the port. */
export function testCompleteness({ uncalled }: Recording): void {
  test("the tests before called every method of the port", () => assert.deepEqual(uncalled(), []))
}

/** Whether it has methods; a list is data. */
const isPart = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value)

/** The names of an object's methods, including those of its class and of the objects in it. */
function methodsOf(port: object, prefix = ""): string[] {
  const keys = new Set<string>()
  for (let at = port; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at))
    for (const key of Object.getOwnPropertyNames(at)) if (key !== "constructor") keys.add(key)
  return [...keys].flatMap((key) => {
    const value: unknown = Reflect.get(port, key)
    if (typeof value === "function") return [prefix + key]
    return isPart(value) ? methodsOf(value, `${prefix}${key}.`) : []
  })
}
