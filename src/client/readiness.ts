/** Checks `/readyz`, like a load balancer. Rejects when there is no response. */
export async function checkReadiness(
  url: string,
  send: typeof fetch = fetch,
): Promise<{ isReady: boolean; reason: string }> {
  const response = await send(`${url}/readyz`, { headers: { accept: "application/json" } })
  const body = (await response.json().catch(() => ({}))) as { status?: unknown; detail?: unknown }
  return { isReady: body.status === "ready", reason: String(body.detail ?? `status ${response.status}`) }
}
