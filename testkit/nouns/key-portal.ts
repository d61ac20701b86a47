import { randomInt, randomUUIDv7 } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { byLanguage } from '#contract/vocabulary/world/languages.ts'
import { blogBlob } from '#database/key-portal/blog-post.ts'
import { portalBlob } from '#database/key-portal/portal-settings.ts'
import type { Blobs } from '#server/files/blobs.ts'
import type { TestDatabase } from '../database.ts'

type Owned = Pick<TestDatabase, 'admin'>

/** The address of a merchant's portal in tests. */
export const portalSlugOf = (merchantId: string) => `p-${merchantId}`

const texts = (text: string) => JSON.stringify({ ...byLanguage(() => ''), it: `<p>${text}</p>`, en: `<p>${text}</p>` })

/** A customers' portal, published unless said otherwise; a merchant keeps its first one. Returns its address. */
export async function aPortal(
  database: Owned,
  merchantId: string,
  { isPublished = true, logoId = null }: { isPublished?: boolean; logoId?: string | null } = {},
): Promise<string> {
  const slug = portalSlugOf(merchantId)
  await database.admin('insert into portal_directory (slug, merchant_id) values ($1, $2) on conflict do nothing', [
    slug,
    merchantId,
  ])
  await database.admin(
    `insert into portal_settings (merchant_id, slug, name, colour, theme, contacts, privacy, logo_id, is_published, version, updated_at)
     values ($1, $2, 'Test portal', '#0b5c3b', 0, $3::jsonb, $4::jsonb, $5, $6, 1, now()) on conflict do nothing`,
    [merchantId, slug, texts('Contacts'), texts('Privacy'), logoId, isPublished],
  )
  return slug
}

/** An uploaded logo; its bytes are in the blob store if one is given. */
export async function aPortalFile(database: Owned, merchantId: string, blobs?: Blobs): Promise<string> {
  const id = randomUUIDv7()
  const png = aPng(100, 40)
  await blobs?.put(portalBlob(merchantId, id), [png])
  await database.admin(
    `insert into portal_files (merchant_id, id, use, name, type, bytes, width, height, sha256, created_at)
     values ($1, $2, 'logo', 'logo.png', 'png', $3, 100, 40, $4, now())`,
    [merchantId, id, png.length, 'a'.repeat(64)],
  )
  return id
}

/** Gives a portal a PDF with the ingredients. */
export async function someIngredients(database: Owned, merchantId: string, blobs: Blobs): Promise<void> {
  const id = randomUUIDv7()
  const pdf = Buffer.from('%PDF-1.4\n%%EOF\n')
  await blobs.put(portalBlob(merchantId, id), [pdf])
  await database.admin(
    `insert into portal_files (merchant_id, id, use, name, type, bytes, sha256, created_at)
     values ($1, $2, 'ingredients', 'ingredients.pdf', 'pdf', $3, $4, now())`,
    [merchantId, id, pdf.length, 'c'.repeat(64)],
  )
  await database.admin('update portal_settings set ingredients_id = $2 where merchant_id = $1', [merchantId, id])
}

/** The picture of a post. */
export async function aBlogFile(database: Owned, blobs?: Blobs): Promise<string> {
  const id = randomUUIDv7()
  const png = aPng(100, 40)
  await blobs?.put(blogBlob(id), [png])
  await database.admin(
    `insert into blog_files (id, name, type, bytes, width, height, sha256, created_at)
     values ($1, 'post.png', 'png', $2, 100, 40, $3, now())`,
    [id, png.length, 'b'.repeat(64)],
  )
  return id
}

/** A blog post, published unless said otherwise. Returns its id; its address is `post-` and the id. */
export async function aBlogPost(
  database: Owned,
  { mediaId = null, visibility = 1 }: { mediaId?: string | null; visibility?: 0 | 1 } = {},
): Promise<string> {
  const id = randomUUIDv7()
  await database.admin(
    `insert into blog_posts (id, slug, title_it, title_en, excerpt_it, excerpt_en, content_it, content_en, media_id, visibility, created_at, updated_at)
     values ($1, $2, 'Un post', 'A post', 'In breve', 'In short', '<p>Ciao</p>', '<p>Hello</p>', $3, $4, now(), now())`,
    [id, `post-${id}`, mediaId, visibility],
  )
  return id
}

const chunk = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  // Readers of headers ignore the checksum.
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}

/** A PNG of a size, with a header as programs write it. */
export function aPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const body = deflateSync(Buffer.alloc(10))
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))])
}

/** A claim of a customer, about a euro in cash unless said otherwise. */
export async function aClaim(
  database: Owned,
  machine: { merchantId: string; id: string },
  columns: Record<string, unknown> = {},
): Promise<string> {
  const row = {
    merchant_id: machine.merchantId,
    id: randomUUIDv7(),
    machine_id: machine.id,
    amount: 100,
    currency: 'EUR',
    number: randomInt(1e9),
    paid_by: 'cash',
    text: 'The machine kept my money',
    happened_at: new Date(),
    created_at: new Date(),
    ...columns,
  }
  const names = Object.keys(row)
  await database.admin(
    `insert into claims (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
  return row.id
}
