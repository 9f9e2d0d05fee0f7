// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { fireAlerts } from "../alerts/cause.ts"
import { limitedCauses, openLimited, openStalling, stallingCauses } from "../alerts/in-a-process.ts"
import {
  embeddedCauses,
  openEmbedded,
  openOnSmallDisk,
  openStopped,
  smallDiskCauses,
  stoppedCauses,
} from "../alerts/in-this-process.ts"
import { openOnPostgres, postgresCauses } from "../alerts/on-postgres.ts"
import { withoutPostgres } from "../harness/postgres.ts"
import { alertNames } from "../harness/prometheus.ts"
import { withoutRedis } from "../harness/redis.ts"
import { mayMount } from "../harness/small-disk.ts"
import { hasPrlimit } from "../harness/spawn.ts"

const fired: string[] = []

describe("each alert fires by its cause", { concurrency: true }, () => {
  fired.push(
    ...fireAlerts({
      what: "a service on SQLite, with Redis and an external issuer",
      open: openEmbedded,
      causes: embeddedCauses,
      skip: withoutRedis,
    }),
    ...fireAlerts({ what: "a stopped service", open: openStopped, causes: stoppedCauses }),
    ...fireAlerts({
      what: "a service on a small disk",
      open: openOnSmallDisk,
      causes: smallDiskCauses,
      skip: !mayMount && "NOT TESTED: may not mount a disk",
    }),
    ...fireAlerts({ what: "a service on a disk that stalls", open: openStalling, causes: stallingCauses }),
    ...fireAlerts({
      what: "a service with limits of the system",
      open: openLimited,
      causes: limitedCauses,
      skip: !hasPrlimit && "NOT TESTED: there is no prlimit",
    }),
    ...fireAlerts({
      what: "a service on PostgreSQL",
      open: openOnPostgres,
      causes: postgresCauses,
      skip: withoutPostgres,
    }),
  )
})

test("every alert has a cause that fires it", () => {
  assert.deepEqual([...new Set(fired)].sort(), [...alertNames].sort())
})
