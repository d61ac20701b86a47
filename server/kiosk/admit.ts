import { randomBytes } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { type AnyEndpoint, isOfKiosk } from '#contract/frame/endpoint.ts'
import { kioskPrefix } from '#contract/sales/kiosk.ts'
import type { Doors, Scope } from '#database/frame/tenant.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import { type FoundKiosk, findKiosk, noteKioskUse } from '#database/sales/kiosk.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { principalOf, seesAllGroups } from '../http/scope.ts'
import { type From, refuseGuesses } from '../http/token-bearer.ts'
import { hashOfSecret } from '../secrets/hash.ts'

/** The wall display that calls, and what its link shows. */
export interface AdmittedKiosk {
  kiosk: FoundKiosk
  scope: Scope
}

/** 256 random bits after the merchant's id, which finds the row of the secret's hash. */
export const newKioskSecret = (merchantId: string): string =>
  kioskPrefix +
  Buffer.concat([Buffer.from(merchantId.replaceAll('-', ''), 'hex'), randomBytes(32)]).toString('base64url')

export const isKioskSecret = (bearer: string) => bearer.startsWith(kioskPrefix)

const written = new RegExp(`^${kioskPrefix}[A-Za-z0-9_-]{64}$`)

/** The merchant that a secret names; not verified yet. */
function merchantIn(secret: string): string | undefined {
  if (!written.test(secret)) return undefined
  const hex = Buffer.from(secret.slice(kioskPrefix.length), 'base64url').subarray(0, 16).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether the creator of a merchant's display may create one today: an active user who sees all groups and sets the merchant's settings. */
export async function mayStillCreate(doors: Doors, userId: string, merchantId: string): Promise<boolean> {
  const record = await findPrincipalById(doors, userId)
  if (record?.status !== 'active') return false
  const principal = principalOf(record, record.role)
  return userMay(principal, 'settings.write') && seesAllGroups(principal.scope, merchantId)
}

/**
 * The display behind the secret of a link, for a row of displays; it sees its merchant, or one of its groups. Throws KioskEnded, DemoExpired and
 * WebPortalNotIncluded when the link has ended, Forbidden for every other row, and TooManyRequests after too many unknown secrets from one address.
 */
export async function admitKiosk(
  doors: Doors,
  secret: string,
  row: AnyEndpoint,
  { address, now, count }: From,
): Promise<AdmittedKiosk> {
  const kiosk = await refuseGuesses(doors, 'kiosk', { address, now }, async () => {
    const merchantId = merchantIn(secret)
    return merchantId ? findKiosk(doors, { merchantId, hash: hashOfSecret(secret) }, now) : undefined
  })
  if (!kiosk) throw new ProductError('KioskEnded')
  count(kiosk.id)
  if (kiosk.isDemoOver) throw new ProductError('DemoExpired')
  if (!kiosk.hasPortal) throw new ProductError('WebPortalNotIncluded')
  const { merchant_id: merchantId, group_id: groupId } = kiosk
  if (kiosk.isOver || !(await mayStillCreate(doors, kiosk.created_by, merchantId))) throw new ProductError('KioskEnded')
  if (!isOfKiosk(row)) throw new ProductError('Forbidden')
  if (kiosk.isNewUse) await noteKioskUse(doors, kiosk, address, now)
  const pair = { merchantId, groups: groupId === null ? ('all' as const) : [groupId] }
  // Users who count may see a display, too.
  return { kiosk, scope: [kiosk.countsBlind ? { ...pair, blind: 'boxes' } : pair] }
}
