import { sql } from 'kysely'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

export const pictureKinds = ['png', 'jpeg', 'webp'] as const
export type PictureKind = (typeof pictureKinds)[number]

export interface Picture {
  kind: PictureKind
  bytes: Buffer
}

/** The picture of a product of the scope; undefined without one. */
export const pictureOf = async (db: TenantDb, productId: string): Promise<Picture | undefined> =>
  (await db
    .from('product_pictures')
    .where('product_pictures.product_id', '=', productId)
    .select(['kind', 'bytes'])
    .executeTakeFirst()) as Picture | undefined

/** Sets the picture of a product and its thumbnail, or removes both. */
export async function writePicture(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  picture: (Picture & { thumbnail: string }) | null,
): Promise<void> {
  if (picture) {
    const { kind, bytes } = picture
    await db.query
      .insertInto('product_pictures')
      .values({ merchant_id, product_id: id, kind, bytes })
      .onConflict((conflict) =>
        conflict
          .columns(['merchant_id', 'product_id'])
          .doUpdateSet({ kind: sql`excluded.kind`, bytes: sql`excluded.bytes` }),
      )
      .execute()
  } else
    await db.query
      .deleteFrom('product_pictures')
      .where('merchant_id', '=', merchant_id)
      .where('product_id', '=', id)
      .execute()
  await db.query
    .updateTable('products')
    .set({ thumbnail: picture?.thumbnail ?? null })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}
