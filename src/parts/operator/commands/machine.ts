import type { World } from "../../../cli/command/command.ts"
import type { AdminRequest, AdminResponse, Maintenance } from "../contract.ts"
import { askRunning } from "../socket.ts"

/** Runs an administrative request in the service on this machine, or on its files while it is stopped. Throws CannotStart. */
export async function administer(
  { readConfig }: Pick<World, "readConfig">,
  request: AdminRequest,
): Promise<AdminResponse> {
  const config = readConfig()
  const response = await askRunning(config.dataDir, request)
  if (response !== undefined) return response
  // Loaded here, as below, because few commands work on files.
  const { administerStopped } = await import("../administration.ts")
  return administerStopped(config, request)
}

/** The work on the files of this machine's service. */
export async function openMaintenanceHere({ readConfig, readLocations, version, clock }: World): Promise<Maintenance> {
  const { openMaintenance } = await import("../maintenance.ts")
  return openMaintenance({ installation: () => ({ ...readConfig(), version }), locations: readLocations }, clock)
}
