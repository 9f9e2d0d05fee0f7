import type { Operation } from "../context.ts"
import { changed, locked } from "../pets/steps.ts"
import type { images } from "./contract.ts"
import { withoutPhoto } from "./rules.ts"

export const deletePetImage: Operation<typeof images.deletePetImage> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const found = await locked(ctx, tx, params.petId)

    await changed(ctx, tx, ctx.accept(withoutPhoto(found, params.sha256)))
    return { code: 200, type: "success", message: "Photo deleted" }
  })
