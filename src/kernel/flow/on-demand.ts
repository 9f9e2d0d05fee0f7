/** Work that is done when asked for, never twice at once; asked for while it is being done, it is done once more after. */
type OnDemand = {
  ask(): void
  /** Resolves when the work is over; undefined while there is none. */
  underWay(): Promise<void> | undefined
}

export function onDemand(work: () => Promise<void>): OnDemand {
  let isAsked = false
  let underWay: Promise<void> | undefined

  async function workWhileAsked(): Promise<void> {
    while (isAsked) {
      isAsked = false
      await work()
    }
  }

  return {
    ask() {
      isAsked = true
      underWay ??= workWhileAsked().finally(() => {
        underWay = undefined
      })
    },
    underWay: () => underWay,
  }
}
