/** Work that is done when asked for, never twice at once; asked for while it is being done, it is done once more after. */
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
    /** Resolves when the work is over; undefined while there is none. */
    underWay: () => underWay,
  }
}
