/** Whether the service can do its work, as a load balancer asks: `/readyz` beside the interface. Rejects when nothing answers. */
export async function readiness(url: string, send: typeof fetch = fetch): Promise<{ isReady: boolean; said: string }> {
  const response = await send(`${url}/readyz`, { headers: { accept: "application/json" } })
  const said = (await response.json().catch(() => ({}))) as { status?: unknown; detail?: unknown }
  return { isReady: said.status === "ready", said: String(said.detail ?? `status ${response.status}`) }
}
