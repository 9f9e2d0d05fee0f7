import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { after } from "node:test"
import { openDiskBlobs } from "../../src/core/disk/blobs.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { blobConformance } from "./blobs/suite.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

blobConformance("The disk", async () => ({
  blobs: await openDiskBlobs(directory.path),
  hasAddresses: false,
  removePart: (key) => rm(join(directory.path, "kept", key, "320")),
  agreeToSweep: () => writeFile(join(directory.path, "sweep-anyway"), ""),
}))
