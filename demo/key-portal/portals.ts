import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortalFileUse } from '#contract/key-portal/portal-settings.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { blogBlob, insertBlogFile, insertBlogPost, listBlogPosts } from '#database/key-portal/blog-post.ts'
import { claimSlug } from '#database/key-portal/portal-directory.ts'
import {
  insertPortalFile,
  portalBlob,
  portalSettingsOf,
  type StoredPortalFile,
  writePortalSettings,
} from '#database/key-portal/portal-settings.ts'
import { factsOf } from '#domain/frame/file-kind.ts'
import { slugOf } from '#domain/key-portal/slug.ts'
import type { Blobs } from '#server/files/blobs.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { demoPeople } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'
import { contactsOf, demoPosts, privacyOf } from './texts.ts'

const dayMs = 86_400_000
const fileOf = (name: string) => readFileSync(join(import.meta.dirname, 'files', name))

/** The look of the first two merchants' portals. */
const looks = [
  { colour: '#7a2f1d', logo: 'aurora.png', theme: 0, email: 'clienti@aurora.test', phone: '+390245678901' },
  { colour: '#0f6b5c', logo: 'sol.png', theme: 1, email: 'clientes@sol.test', phone: '+525512345678' },
] as const

/** Adds published portals of two merchants, and the blog, unless they exist. */
export async function addPortals(
  doors: Doors,
  blobs: Blobs,
  { now, seed }: { now: Date; seed: string },
): Promise<void> {
  const random = randomFrom(`${seed} portals`)
  for (const [index, look] of looks.entries()) {
    const merchant = demoMerchants[index]
    if (!merchant) continue
    const slug = slugOf(merchant.name)
    await claimSlug(doors, merchant.id, slug)
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      if (await portalSettingsOf(db, merchant.id)) return
      const add = (use: PortalFileUse, file: string) =>
        addFile(db, blobs, { merchantId: merchant.id, use, file, now, random })
      const { colour, theme, email, phone } = look
      const settings = {
        slug,
        name: merchant.name,
        website: `https://${slug}.example`,
        colour,
        theme,
        email,
        phone,
        contacts: contactsOf(merchant.name),
        privacy: privacyOf(merchant.name),
        isPublished: true,
        version: 1,
        logoId: await add('logo', look.logo),
        appLogoId: await add('appLogo', look.logo),
        ingredientsId: index === 0 ? await add('ingredients', 'ingredients.pdf') : null,
      }
      await writePortalSettings(db, merchant.id, settings, now)
      await db.query
        .insertInto('merchant_details')
        .values({ merchant_id: merchant.id, portal_recharge: true })
        .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet({ portal_recharge: true }))
        .execute()
    })
  }
  await addPosts(doors, blobs, now, random)
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function addFile(
  db: TenantDb,
  blobs: Blobs,
  one: { merchantId: string; use: PortalFileUse; file: string; now: Date; random: Random },
): Promise<string> {
  const bytes = fileOf(one.file)
  const { kind, width = null, height = null } = factsOf(bytes, bytes.length)
  const id = uuidAt(one.now.getTime(), one.random)
  await blobs.put(portalBlob(one.merchantId, id), [bytes])
  await insertPortalFile(db, {
    merchant_id: one.merchantId,
    id,
    use: one.use,
    name: one.file,
    type: kind as StoredPortalFile['type'],
    bytes: bytes.length,
    width,
    height,
    sha256: digestOf(bytes),
    created_at: one.now,
  })
  return id
}

async function addPosts(doors: Doors, blobs: Blobs, now: Date, random: Random): Promise<void> {
  const [author] = demoPeople
  if (!author || (await listBlogPosts(doors, {}, { page: 1, size: 1 })).total > 0) return
  for (const { picture, daysAgo, ...post } of demoPosts) {
    const at = new Date(now.getTime() - daysAgo * dayMs)
    let mediaId: string | null = null
    if (picture) {
      const bytes = fileOf(picture)
      mediaId = uuidAt(at.getTime(), random)
      await blobs.put(blogBlob(mediaId), [bytes])
      const { width = null, height = null } = factsOf(bytes, bytes.length)
      await insertBlogFile(doors, {
        id: mediaId,
        name: picture,
        type: 'jpg',
        bytes: bytes.length,
        width,
        height,
        sha256: digestOf(bytes),
        created_at: at,
      })
    }
    await insertBlogPost(doors, uuidAt(at.getTime(), random), { ...post, mediaId }, author, at)
  }
}
