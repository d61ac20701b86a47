import { Serial } from '#contract/device-protocol.ts'

/**
 * What a scanned or typed text names a machine by: our own labels hold an address that ends in `/m/<code>`, or in `/m/<serial>` if the machine was never
 * associated; other labels hold the serial itself.
 */
export function namedIn(text: string): string | undefined {
  const trimmed = text.trim()
  const [, inAddress] = /^https?:\/\/[^/]+(?:\/key\/[^/]+)?\/m\/([^/?#]+)(?:[?#].*)?$/i.exec(trimmed) ?? []
  const named = inAddress === undefined ? trimmed : decoded(inAddress)
  return Serial.safeParse(named).success ? named : undefined
}

export const isAddress = (text: string) => /^https?:\/\//i.test(text.trim())

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
