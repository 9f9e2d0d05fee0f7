import type { TSchema } from "typebox"
import type { Violation } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import { nullOmitter } from "../../kernel/schema/omit-nulls.ts"

/** Checks a value without its optional null members, which it removes. */
export function lenientCheck(schema: TSchema): (value: unknown) => Violation[] {
  const [check, omitNulls] = [checkOf(schema), nullOmitter(schema)]
  return (value) => {
    omitNulls(value)
    return check(value)
  }
}
