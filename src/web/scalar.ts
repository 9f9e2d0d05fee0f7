/** What Scalar's Fastify plugin is given in place of Fastify: it registers its routes, one of which is the browser bundle. */
type Registrar = { route(route: { url: string; handler(request: unknown, reply: Collector): Collector }): void }
type Collector = { header(): Collector; send(body: string): Collector }
type Plugin = (fastify: Registrar & { initialConfig: object }, options: object, next: () => void) => void

/**
 * Reads Scalar's browser bundle out of the plugin that carries it. The package `@scalar/api-reference`, where it comes
 * from, would bring 270 others along.
 */
export async function readScalarBundle(): Promise<string> {
  const plugin = (await import("@scalar/fastify-api-reference")).default as unknown as Plugin
  let bundle: string | undefined
  const collector: Collector = {
    header: () => collector,
    send(body) {
      bundle = body
      return collector
    },
  }
  const route: Registrar["route"] = ({ url, handler }) => void (url === "/js/scalar.js" && handler({}, collector))
  plugin({ route, initialConfig: {} }, { routePrefix: "/", configuration: { url: "-" } }, () => undefined)
  if (bundle === undefined) throw new Error("@scalar/fastify-api-reference has no browser bundle where it used to be")
  return bundle
}
