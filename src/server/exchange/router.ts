import findMyWay from "find-my-way"
import { basePath, oauthPath, v2Path } from "../../kernel/network/path.ts"
import type { HttpRoute, Resource } from "./exchange.ts"

/** The longest request head, so that the operation judges a long parameter and not the router. */
const parameterLengthMax = 16_384

/** Adds a route whose requests are limited by address. */
export type AddRoute = (methods: string[], path: string, handle: HttpRoute["handle"]) => void

type Part = { enter(): Promise<Router> }

type Found = { resource: Resource; params: Record<string, string | undefined> }

export type Router = {
  /** `:name` in a path is a parameter, and `*` at its end matches the rest. GET implies HEAD. */
  add(methods: readonly string[], path: string, route: HttpRoute): void
  /** Delegates a path and all below it to another router, unless a more specific path is added here. The first request loads it. */
  addPart(path: string, load: () => Promise<Router>): void
  find(path: string): Found | Part | undefined
}

export function createRouter(): Router {
  const paths = findMyWay({ maxParamLength: parameterLengthMax })
  const resources = new Map<string, Resource>()

  function resourceAt(path: string): Resource {
    const known = resources.get(path)
    if (known) return known
    const resource = { path: path.replace(/:(\w+)/g, "{$1}"), routes: new Map(), allow: "" }
    resources.set(path, resource)
    paths.on("GET", path, () => undefined, resource)
    return resource
  }

  return {
    add(methods, path, route) {
      const resource = resourceAt(path)
      for (const method of methods.includes("GET") ? [...methods, "HEAD"] : methods) resource.routes.set(method, route)
      resource.allow = [...new Set([...resource.routes.keys(), "OPTIONS"])].join(", ")
    },
    addPart(path, load) {
      let loading: Promise<Router> | undefined
      const enter = () => {
        loading ??= load()
        return loading
      }
      for (const at of [path, `${path}/*`]) paths.on("GET", at, () => undefined, { enter } satisfies Part)
    },
    find(path) {
      const found = paths.find("GET", withoutSlash(path))
      if (!found) return undefined
      const store = found.store as Resource | Part
      return "enter" in store ? store : { resource: store, params: found.params }
    },
  }
}

/** In the API and the authorization server a path with a trailing slash names the same resource. */
const withoutSlash = (path: string): string =>
  path.endsWith("/") && [basePath, v2Path, oauthPath].some((start) => path.startsWith(start)) ? path.slice(0, -1) : path
