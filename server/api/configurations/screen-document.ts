import { createHash, randomUUIDv7 } from 'node:crypto'
import {
  filesOfScreen,
  type NewScreenConfiguration,
  productsOfScreen,
  screenSizes,
} from '#contract/configurations/screen-content.ts'
import { ProductError } from '#contract/errors.ts'
import { productsNamed } from '#database/catalogue/product-choice.ts'
import { pictureOf } from '#database/catalogue/product-picture.ts'
import { filesToUse, fileWithContent, insertScreenFile, screenBlob } from '#database/configurations/screen-file.ts'
import type { RecordKey } from '#database/frame/records.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import type { Blobs } from '#server/files/blobs.ts'

/** The version of the document's format. docs/areas/screens.md describes it. */
const format = 1

interface Call {
  db: TenantDb
  blobs: Blobs
  now: Date
}
interface FileOf {
  id: string
  type: string
  bytes: number
  sha256: string
}

/** Stores bytes once per merchant and content. */
async function stored(
  { db, blobs, now }: Call,
  merchantId: string,
  content: Buffer,
  about: { origin: 'product' | 'document'; name: string; kind: string; type: string; parts?: string[] },
): Promise<FileOf> {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const existing = await fileWithContent(db, merchantId, about.origin, sha256)
  const id = existing?.id ?? randomUUIDv7()
  await blobs.put(screenBlob(merchantId, id), [content])
  if (!existing)
    await insertScreenFile(db, {
      merchant_id: merchantId,
      id,
      ...about,
      bytes: content.length,
      sha256,
      created_at: now,
    })
  return { id, type: about.type, bytes: content.length, sha256 }
}

/** The pictures of products, by product; products without one are left out. */
async function productPictures(call: Call, merchantId: string, ids: readonly string[]): Promise<Map<string, FileOf>> {
  const documentFiles = new Map<string, FileOf>()
  for (const id of ids) {
    const picture = await pictureOf(call.db, id)
    if (!picture) continue
    const type = picture.kind === 'jpeg' ? 'jpg' : picture.kind
    const about = { origin: 'product', name: id, kind: 'picture', type } as const
    documentFiles.set(id, await stored(call, merchantId, picture.bytes, about))
  }
  return documentFiles
}

/**
 * The document of a saved configuration, as machines fetch it, with all files that it names. The same content has the same document.
 */
export async function documentOf(
  call: Call,
  { merchant_id, id, version }: RecordKey & { version: number },
  content: NewScreenConfiguration,
): Promise<FileOf> {
  const { db } = call
  const products = new Map((await productsNamed(db, productsOfScreen(content))).map((one) => [one.id, one.name]))
  const uploads = await filesToUse(db, merchant_id, filesOfScreen(content))
  const productButtons = content.pages.flatMap(({ buttons }) => buttons.filter(({ picture }) => picture === 'product'))
  const pictures = await productPictures(call, merchant_id, [
    ...new Set(productButtons.map(({ productId }) => productId)),
  ])
  const files: FileOf[] = [
    ...uploads.map((one) => ({ id: one.id, type: one.type ?? '', bytes: one.bytes, sha256: one.sha256 ?? '' })),
    ...pictures.values(),
  ].filter((one, at, all) => all.findIndex((other) => other.id === one.id) === at)
  const { idle, pages, size, colours, languages, schedule, showPrices, name } = content
  const document = {
    format,
    id,
    name,
    version,
    screen: screenSizes[size],
    languages,
    showPrices,
    colours,
    schedule,
    idle:
      idle.kind === 'none'
        ? { kind: 'none' }
        : { kind: idle.kind, after: idle.after, seconds: idle.seconds, files: idle.fileIds },
    pages: pages.map(({ titles, buttons }) => ({
      titles,
      buttons: buttons.map(({ selection, productId, texts, picture, fileId }) => {
        const product = products.get(productId)
        if (product === undefined) throw new ProductError('ProductNotFound')
        const file = picture === 'file' ? fileId : picture === 'product' ? (pictures.get(productId)?.id ?? null) : null
        return { selection, name: product, texts, file }
      }),
    })),
    /** Each is at the document's address, with its own id in place of the document's. */
    files,
  }
  const bytes = Buffer.from(JSON.stringify(document))
  return stored(call, merchant_id, bytes, {
    origin: 'document',
    name: `${name} ${version}`.slice(0, 200),
    kind: 'document',
    type: 'json',
    parts: files.map((one) => one.id),
  })
}
