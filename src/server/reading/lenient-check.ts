import type { TSchema } from "typebox"
import { nullOmitter } from "../../kernel/json/omit-nulls.ts"
import type { Violation } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"

/** Checks a value without its optional null members, which it removes. */
export function lenientCheck(schema: TSchema): (value: unknown) => Violation[] {
  const [check, omitNulls] = [checkOf(schema), nullOmitter(schema)]
  return (value) => {
    omitNulls(value)
    return check(value)
  }
}
