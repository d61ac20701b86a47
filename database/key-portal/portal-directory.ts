import { ProductError } from '#contract/errors.ts'
import type { Doors } from '../frame/tenant.ts'

/** The merchant that an address belongs to, published or not. */
export async function merchantOfPortal(doors: Doors, slug: string): Promise<string | undefined> {
  const row = await doors.withSystem(
    'customers portal',
    (db) => db.selectFrom('portal_directory').select('merchant_id').where('slug', '=', slug).executeTakeFirst(),
    'single statement',
  )
  return row?.merchant_id
}

/**
 * Gives an address to a merchant. Former addresses stay with it: printed QR codes have them. Throws PortalSlugTaken if another merchant
 * has it.
 */
export async function claimSlug(doors: Doors, merchantId: string, slug: string): Promise<void> {
  const owner = await doors.withSystem('customers portal', async (db) => {
    await db
      .insertInto('portal_directory')
      .values({ slug, merchant_id: merchantId })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .execute()
    return db.selectFrom('portal_directory').select('merchant_id').where('slug', '=', slug).executeTakeFirstOrThrow()
  })
  if (owner.merchant_id !== merchantId) throw new ProductError('PortalSlugTaken', { field: 'slug' })
}

/** The first free address among a name's and the name's with a number; a merchant's own addresses count as free. */
export async function freeSlug(doors: Doors, merchantId: string, slug: string): Promise<string> {
  const candidates = [slug, ...Array.from({ length: 98 }, (_, index) => `${slug.slice(0, 57)}-${index + 2}`)]
  const sameSlug = await doors.withSystem(
    'customers portal',
    (db) =>
      db
        .selectFrom('portal_directory')
        .select('slug')
        .where('slug', 'in', candidates)
        .where('merchant_id', '<>', merchantId)
        .execute(),
    'single statement',
  )
  const isTaken = new Set(sameSlug.map((row) => row.slug))
  return candidates.find((candidate) => !isTaken.has(candidate)) ?? ''
}
