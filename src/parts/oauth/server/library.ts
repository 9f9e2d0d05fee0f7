import { createRequire } from "node:module"

// oidc-provider warns on the console of every runtime that is not a long-term release yet. The service is tested on its own.
const { warn } = console
console.warn = () => undefined
const library: typeof import("oidc-provider") = createRequire(import.meta.url)("oidc-provider")
console.warn = warn

export const { errors, interactionPolicy, Provider } = library
