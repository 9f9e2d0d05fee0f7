import { scopes } from "../../../core/domain/scopes.ts"

/** Describes a scope; returns an unknown scope itself. */
export const describeScope = (scope: string): string => descriptions[scope] ?? scope

const descriptions: Record<string, string> = {
  ...scopes,
  openid: "Identify you by a user id",
}
