/** One line of Prometheus's text format. */
export type Sample = { name: string; labels: Record<string, string>; value: number }

/** Reads current metrics: advances the clock past the second for which they are cached. */
export async function readMetrics(petstore: { url: string; clock: { advance(ms: number): void } }): Promise<Sample[]> {
  petstore.clock.advance(1_000)
  const response = await fetch(`${petstore.url}/metrics`)
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return samplesIn(await response.text())
}

/** Parses the samples of Prometheus's text format. Throws for one that is there twice, for which Prometheus refuses all. */
export function samplesIn(text: string): Sample[] {
  const seen = new Set<string>()
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const series = line.slice(0, line.lastIndexOf(" "))
      if (seen.has(series)) throw new Error(`twice: ${series}`)
      seen.add(series)
      const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === "") throw new Error(`not a sample: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", text = ""]) => [key, text])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** Sum of the samples with this name and these labels. */
export const sumOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number =>
  samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0)
