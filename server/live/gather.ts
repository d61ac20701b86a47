/** Minimum time between two notifications per merchant, in milliseconds. */
const pause = 250
/** Above this number machines are not named: a notification is limited to 8,000 bytes. */
const namedMachines = 150

interface Waiting<Word> {
  words: Set<Word>
  machines: Set<string>
  timer: NodeJS.Timeout
}

/** Collects the hints of a merchant for a moment and sends them as one. `machineIds` is empty when there are too many to name. */
export function gatherByMerchant<Word extends string>(
  send: (merchantId: string, words: Word[], machineIds: string[]) => void,
) {
  const waiting = new Map<string, Waiting<Word>>()
  return {
    add(merchantId: string, word: Word, machineId?: string): void {
      let entry = waiting.get(merchantId)
      if (!entry) {
        const timer = setTimeout(() => sendWhole(merchantId), pause)
        entry = { words: new Set(), machines: new Set(), timer }
        waiting.set(merchantId, entry)
      }
      entry.words.add(word)
      if (machineId) entry.machines.add(machineId)
    },
    stop(): void {
      for (const { timer } of waiting.values()) clearTimeout(timer)
    },
  }

  function sendWhole(merchantId: string): void {
    const entry = waiting.get(merchantId)
    waiting.delete(merchantId)
    if (!entry) return
    const { words, machines } = entry
    send(merchantId, [...words], machines.size > namedMachines ? [] : [...machines])
  }
}
