import { at } from "../../kernel/problem.ts"
import type { AnyOperation, Context } from "../context.ts"
import { joinTransaction } from "../join-transaction.ts"
import type { PetReplacement } from "./contract.ts"

/** Replaces a pet as v2 does, where one without a name keeps it. A new pet needs one. */
export const keepName =
  (replace: AnyOperation): AnyOperation =>
  (context: Context, input) => {
    const wanted = input.body as PetReplacement
    if (wanted.name !== undefined) return replace(context, input)
    return context.store.transaction(async (tx) => {
      const { pet } =
        (await tx.pets.lock(wanted.id)) ?? context.refuse("invalid-body", at("/name", "required", "is required"))
      return replace({ ...context, store: joinTransaction(tx) }, { ...input, body: { ...wanted, name: pet.name } })
    })
  }
