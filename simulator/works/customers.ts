import type { Keyring } from '../media/keyring.ts'

/** Customers of a live machine: the keys that they bring, and cloud credit as another way to pay. */
export interface Customers {
  keys: Keyring
  /** Lets a customer pay with cloud credit, or else sell as usual. False: not this time. */
  payFromCloud(media: { mediaSerial: string; mediaType: number }, line: number, otherwise: () => void): boolean
  /** Loads cloud credit. False: onto the key instead. */
  rechargeCloud(media: { mediaSerial: string; mediaType: number }, amount: number): boolean
}
