import assert from "node:assert/strict"
import { test } from "node:test"

/** Records which methods of a port a suite calls, so that the suite fails while a method is never called. */
export type Recording = {
  /** Returns the same port and records every call. Methods of nested objects are recorded as `repository.method`. */
  watch<Port extends object>(port: Port): Port
  /** The methods that were never called. */
  uncalled(): string[]
}

export function recording(): Recording {
  const methods = new Set<string>()
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
          // `this` is the port itself: calls between its methods are not calls of the suite.
          return Reflect.apply(value, target, args)
        }
      },
    })
  }

  return {
    watch(port) {
      for (const name of methodsOf(port)) methods.add(name)
      return proxy(port)
    },
    uncalled: () => [...methods.difference(called)],
  }
}

/** The last test of a suite: fails when the preceding tests did not call every method of the port. */
export function testCompleteness({ uncalled }: Recording): void {
  test("the preceding tests call every method of the port", () => assert.deepEqual(uncalled(), []))
}

/** Whether the value has methods; an array is data. */
const isPart = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value)

/** The method names of an object, including those of its class and of nested objects. */
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
