import { busySeconds, processorSeconds } from "./processor-time.ts"

/** Maximum share of one core that processes other than the bench's may use in a valid run. */
const foreignShareMax = 0.1
const triesMax = 2

type Watched<T> = { value: T; foreignShare: number; isDisturbed: boolean }

/** Runs a measurement; repeats it once when other processes disturbed it. */
export async function undisturbed<T>(measure: () => Promise<T>): Promise<Watched<T>> {
  for (let tries = 1; ; tries++) {
    const watched = await watch(measure)
    if (!watched.isDisturbed || tries === triesMax) return watched
  }
}

async function watch<T>(measure: () => Promise<T>): Promise<Watched<T>> {
  const [busy, own, at] = [busySeconds(), processorSeconds(process.pid), performance.now()]
  const value = await measure()
  const seconds = (performance.now() - at) / 1000
  const foreign = busySeconds() - busy - (processorSeconds(process.pid) - own)
  const foreignShare = Math.max(0, foreign / seconds)
  return { value, foreignShare, isDisturbed: foreignShare > foreignShareMax }
}
