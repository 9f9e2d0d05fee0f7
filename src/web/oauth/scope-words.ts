import { scopes } from "../../domain/scopes.ts"

/** What a scope allows, in words; the scope itself when there are none. */
export const describeScope = (scope: string): string => descriptions[scope] ?? scope

const descriptions: Record<string, string> = {
  ...scopes,
  openid: "Know that it is you, by a number that stands for you",
}
