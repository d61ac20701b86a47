import { Serial } from '#contract/device-protocol.ts'

/** The serial in a scanned code: our own labels hold an address that ends in `/m/<serial>`, other labels the serial itself. */
export function serialOf(code: string): string | undefined {
  const text = code.trim()
  const [, inAddress] = /^https?:\/\/[^/]+\/m\/([^/?#]+)$/i.exec(text) ?? []
  const serial = inAddress === undefined ? text : decoded(inAddress)
  return Serial.safeParse(serial).success ? serial : undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
