import { type OwnCommand, one, UsageError } from "../../../cli/command/command.ts"
import { printResult } from "../../../cli/output/result.ts"
import { counted } from "../../../core/kernel/counted.ts"
import { openMaintenanceHere } from "./machine.ts"
import { withStages } from "./stages.ts"

export const copy: OwnCommand = {
  name: "copy",
  summary: "Copy database and images, for example from SQLite to PostgreSQL or back",
  description:
    "No service may use either database, and the target must be empty. Every row is copied, and both databases are compared " +
    "before a service can start on the target. Run an interrupted copy again to continue it. Secrets are copied encrypted: " +
    "start the service with PETSTORE_SECRET_KEY set to the content of secret.key in the data directory. Images are " +
    "copied from --from-images to --to-images and read back. Without these flags images are not copied; start the service with " +
    "the same PETSTORE_BLOB_URL.",
  whenInterrupted: "The copy is incomplete; run the same command again to continue.",
  flags: [
    { name: "from", value: "URL", meaning: "The database to copy, such as sqlite:data/petstore.db", required: true },
    { name: "to", value: "URL", meaning: "The database to fill, such as postgres://…", required: true },
    { name: "from-images", value: "URL", meaning: "The images to copy, such as file:data/images" },
    { name: "to-images", value: "URL", meaning: "Where to copy them, such as s3://BUCKET" },
  ],

  async run(input, world) {
    const [from, to] = [one(input, "from"), one(input, "to")]
    if (from === undefined || to === undefined) throw new UsageError("--from and --to are required")
    const [fromImages, toImages] = [one(input, "from-images"), one(input, "to-images")]
    if ((fromImages === undefined) !== (toImages === undefined))
      throw new UsageError("--from-images and --to-images must be given together")
    const copied = await withStages(world, async (report) =>
      (await openMaintenanceHere(world)).copy(
        { database: from, images: fromImages },
        { database: to, images: toImages },
        report,
      ),
    )
    const { rows, images } = copied
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    const also = images === undefined ? "" : ` and ${counted(images, "image")}`
    printResult(world, copied, `${counted(total, "row")}${also} are identical in both\n`)
    return 0
  },
}
