// The package of this project is its source: `node --import this-file`.
import { registerHooks } from "node:module"

const name = "@petstore-service/petstore/"
const root = new URL("../../../src/public/", import.meta.url)

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith(name)
      ? next(new URL(`${specifier.slice(name.length)}.ts`, root).href, context)
      : next(specifier, context),
})
