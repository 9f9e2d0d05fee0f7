import { Type } from "../../../core/kernel/schema/type.ts"

/** Data that the service has itself. */
export const ownSeeds = ["classic", "empty", "shelter"] as const
export type OwnSeed = (typeof ownSeeds)[number]

/** The data of a sandbox: its initial ones, which a setting names, or others. */
export const seeds = ["initial", ...ownSeeds] as const
export type Seed = (typeof seeds)[number]

/** The form of a sandbox's name. */
export const sandboxName = {
  // Clients resolve a path with a segment of dots.
  pattern: "^(?!\\.+$)[\\w.-]{1,64}$",
  requirement: "must have 1 to 64 letters, digits and . _ -, not only dots",
}

/** A property or parameter with the name of a sandbox. */
export const SandboxName = (description: string) =>
  Type.String({ pattern: sandboxName.pattern, "x-rule": sandboxName.requirement, description, examples: ["test-17"] })
