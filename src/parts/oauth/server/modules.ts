import { createRequire } from "node:module"

/** Load the modules that the start leaves out, in parts of similar length: oidc-provider imports the first two. */
export const modulesOfOAuth: readonly (() => Promise<unknown>)[] = [
  () => import("jose"),
  async () => createRequire(import.meta.resolve("oidc-provider"))("koa"),
  () => import("./library.ts"),
  () => import("./provider.ts"),
  () => import("./sign-in.ts"),
  () => import("./interaction.ts"),
]
