// Runs after `npm ci`: removes the C headers and manual pages of the runtime, 67 MiB that nothing here is compiled with.
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

for (const architecture of ["x64", "arm64"])
  for (const unused of ["include", "share"])
    rmSync(fileURLToPath(new URL(`../node_modules/node-linux-${architecture}/${unused}`, import.meta.url)), {
      recursive: true,
      force: true,
    })
