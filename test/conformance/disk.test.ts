import { after } from "node:test"
import { openDiskBlobs } from "../../src/storage/disk/blobs.ts"
import { temporaryDirectory } from "../harness/petstore.ts"
import { blobConformance } from "./blobs.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

blobConformance("The disk", () => openDiskBlobs(directory.path))
