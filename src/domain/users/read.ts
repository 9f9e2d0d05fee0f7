import { andThen } from "../../kernel/flow/awaitable.ts"
import type { Operation } from "../context.ts"
import { requireUser } from "./require-user.ts"

export const getUserByName: Operation<"getUserByName"> = (ctx, { params }) =>
  andThen(ctx, ctx.store.users.byName(params.username), (asked, found) => requireUser(asked, found).user)
