/** Pauses of a machine; once it stops none of them ends. */
export function openPauses() {
  const timers = new Set<NodeJS.Timeout>()
  return {
    pause: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer)
          resolve()
        }, milliseconds)
        timers.add(timer)
      }),
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
