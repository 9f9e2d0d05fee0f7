import findMyWay from "find-my-way"
import { once } from "../../kernel/flow/once.ts"
import type { HttpRoute, Resource } from "./exchange.ts"

/** The longest request head, so that the operation judges a long parameter and not the router. */
const parameterLengthMax = 16_384

/** Adds a route whose requests are limited by address. */
export type AddRoute = (methods: string[], path: string, handle: HttpRoute["handle"]) => void

type Part = { enter(): Promise<Router>; isPage: boolean }

type Found = { resource: Resource; params: Record<string, string | undefined> }

export type Router = {
  /** `:name` in a path is a parameter, and `*` at its end matches the rest. GET implies HEAD. */
  add(methods: readonly string[], path: string, route: HttpRoute): void
  /** Delegates a path and all below it to another router, unless a more specific path is added here. The first request loads it. */
  addPart(path: string, part: { load(): Promise<Router>; isPage?: boolean }): void
  find(path: string): Found | Part | undefined
  /** Whether the path is one of a page. */
  isPage(path: string): boolean
  /** Everything that is added here or to a part, which this loads. */
  table(): Promise<Resource[]>
}

export function createRouter(): Router {
  const paths = findMyWay({ maxParamLength: parameterLengthMax })
  const resources = new Map<string, Resource>()
  const parts = new Set<() => Promise<Router>>()

  function resourceAt(path: string): Resource {
    const known = resources.get(path)
    if (known) return known
    const resource = { path: path.replace(/:(\w+)/g, "{$1}"), routes: new Map(), allow: "", isPage: false }
    resources.set(path, resource)
    paths.on("GET", path, () => undefined, resource)
    return resource
  }

  function find(path: string): Found | Part | undefined {
    const found = paths.find("GET", withoutSlash(path))
    if (!found) return undefined
    const store = found.store as Resource | Part
    return "enter" in store ? store : { resource: store, params: found.params }
  }

  return {
    add(methods, path, route) {
      const resource = resourceAt(path)
      for (const method of methods.includes("GET") ? [...methods, "HEAD"] : methods) resource.routes.set(method, route)
      if (route.isPage) resource.isPage = true
      resource.allow = [...new Set([...resource.routes.keys(), "OPTIONS"])].join(", ")
    },
    addPart(path, { load, isPage = false }) {
      const enter = once(load)
      parts.add(enter)
      for (const at of [path, `${path}/*`]) paths.on("GET", at, () => undefined, { enter, isPage } satisfies Part)
    },
    find,
    isPage(path) {
      const found = find(path)
      return found !== undefined && ("enter" in found ? found : found.resource).isPage
    },
    async table() {
      const below = await Promise.all([...parts].map(async (enter) => (await enter()).table()))
      return [...resources.values(), ...below.flat()]
    },
  }
}

/** A path with a final slash identifies the same resource. */
const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)
