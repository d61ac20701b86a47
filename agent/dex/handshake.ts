import { TransferFault, type TransferFaultCode } from '../line/transfer-fault.ts'

/*
 * The two handshakes before the file: EVA-DTS 6.1, chapters 4.5.3 to 4.5.7. The side that bids first says what is to be done; the other one answers
 * with a response code.
 */

/** What the first handshake requests: the carrier reads the audit, or the machine sends it. */
type Operation = 'R' | 'S'

/** The revision and level of EVA-DTS 6 and later; R01L01 is that of the years before. */
export const revision = 'R00L06'

export interface FirstHandshake {
  /** Ten characters: the maker's three letters, and seven of its own. */
  id: string
  operation: Operation | (string & {})
  revision: string
}
export interface SecondHandshake {
  response: string
  id: string
  revision: string
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** A communication id has ten letters and digits. */
export const communicationId = (text: string) =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .padEnd(10, '0')
    .slice(0, 10)

export const firstHandshake = (hand: FirstHandshake) => bytesOf(`${hand.id}${hand.operation}${hand.revision}`)
export const secondHandshake = (hand: SecondHandshake) => bytesOf(`${hand.response}${hand.id}${hand.revision}`)

export function readFirstHandshake(bytes: Uint8Array): FirstHandshake {
  const text = textOf(bytes)
  if (text.length !== 17) throw new TransferFault('badAnswer')
  return { id: text.slice(0, 10), operation: text.slice(10, 11), revision: text.slice(11) }
}

export function readSecondHandshake(bytes: Uint8Array): SecondHandshake {
  const text = textOf(bytes)
  if (text.length !== 18) throw new TransferFault('badAnswer')
  return { response: text.slice(0, 2), id: text.slice(2, 12), revision: text.slice(12) }
}

/** Response codes other than 00: chapter 4.5.7. 90 is a state of the maker's own. */
export const responseFaults: Readonly<Record<string, TransferFaultCode>> = {
  '01': 'unknownCarrier',
  '02': 'otherRevision',
  '03': 'busy',
  '04': 'noData',
  '05': 'refused',
  '90': 'refused',
}
