/** Runs work on request, never twice at once; a request during a run starts another run afterwards. */
export function onDemand(work: () => Promise<void>) {
  let isAsked = false
  let underWay: Promise<void> | undefined

  async function workWhileAsked(): Promise<void> {
    while (isAsked) {
      isAsked = false
      await work()
    }
  }

  return {
    ask(): void {
      isAsked = true
      underWay ??= workWhileAsked().finally(() => {
        underWay = undefined
      })
    },
    /** Resolves when the work has ended; undefined while there is none. */
    underWay: () => underWay,
  }
}
