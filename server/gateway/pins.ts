import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { claimPin, storePin } from '#database/machines/association-pin.ts'
import { oneTimeCode } from '#domain/machines/association-attempt.ts'
import { isSimplePin } from '#domain/machines/pin.ts'
import { createVault } from '../secrets/vault.ts'

export interface Pins {
  /** Finds the merchant of a PIN without revealing the PIN. */
  digestOf(pin: string): string
  /** A merchant's PIN; null without one. */
  pinOf(db: TenantDb, merchantId: string): Promise<string | null>
  /** Gives a merchant a PIN of 8 digits that replaces its previous PIN; false when another merchant has it. */
  setPin(doors: Doors, merchantId: string, pin: string): Promise<boolean>
  /** Gives a merchant a free random PIN. */
  givePin(doors: Doors, merchantId: string): Promise<string>
  /** Decrypts a stored PIN, and encrypts a PIN. */
  open(sealed: string): string | null
  seal(pin: string): string
  /** Reserves a PIN for a merchant, whose encrypted PIN the caller stores; false when another merchant has it. */
  claim(doors: Doors, merchantId: string, pin: string): Promise<boolean>
}

/** 8 random digits without a simple pattern. */
export function randomPin(): string {
  for (;;) {
    const pin = String(randomInt(100_000_000)).padStart(8, '0')
    if (!isSimplePin(pin)) return pin
  }
}

/** The digits of a one-time code. */
export const randomCode = (): string => Array.from({ length: oneTimeCode.digits }, () => randomInt(10)).join('')

/**
 * The PINs with which unknown machines join a merchant. A PIN is stored encrypted, since its merchant must be able to read
 * it. Its digest, keyed with the deployment's secret, finds the merchant.
 */
export function createPins(secretKey: string): Pins {
  const vault = createVault(secretKey)
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'gettone', 'association pins', 32))
  const digestOf = (pin: string) => createHmac('sha256', key).update(pin).digest('base64url')
  const setPin = (doors: Doors, merchantId: string, pin: string) =>
    storePin(doors, merchantId, { digest: digestOf(pin), sealed: vault.seal(pin) })
  // A merchant without a PIN has an empty text.
  const open = (sealed: string) => (sealed === '' ? null : vault.open(sealed))
  return {
    digestOf,
    setPin,
    open,
    seal: vault.seal,
    claim: (doors, merchantId, pin) => claimPin(doors, merchantId, digestOf(pin)),
    async pinOf(db, merchantId) {
      const row = await db
        .from('merchant_settings')
        .where('merchant_id', '=', merchantId)
        .select('pin_sealed')
        .executeTakeFirst()
      return row ? open(row.pin_sealed) : null
    },
    async givePin(doors, merchantId) {
      for (;;) {
        const pin = randomPin()
        if (await setPin(doors, merchantId, pin)) return pin
      }
    },
  }
}
