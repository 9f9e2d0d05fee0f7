import type { Operations } from "../context.ts"
import type { images } from "./contract.ts"
import { listPetImages } from "./list.ts"
import { deletePetImage } from "./remove.ts"
import { uploadFile } from "./upload.ts"

export const imageOperations: Operations<typeof images> = { uploadFile, listPetImages, deletePetImage }
