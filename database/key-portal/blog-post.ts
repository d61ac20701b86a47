import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import type { BlogPostFilters, BlogPostOrd } from '#contract/key-portal/blog-post.ts'
import { plainText } from '#contract/rules/rich-text.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { type BlogText, blogLanguageOf } from '#domain/key-portal/blog-language.ts'
import { anyOf } from '../frame/conditions.ts'
import { constraintOf } from '../frame/constraint.ts'
import { directed, offsetOf, type Page, type Sorted } from '../frame/list.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { recordProviderChange } from '../platform/provider-log.ts'

/** Where the bytes of a post's picture or video are in the blob store. */
export const blogBlob = (fileId: string) => `blog/${fileId}`

export interface BlogFields {
  title: BlogText
  slug: string
  excerpt: BlogText
  content: BlogText
  mediaId: string | null
  visibility: 0 | 1
}
export interface BlogMediaRecord {
  id: string
  name: string
  type: 'png' | 'jpg' | 'webp' | 'mp4' | 'webm'
  bytes: number
  width: number | null
  height: number | null
  sha256: string
  created_at: Date
}
export interface BlogPostRecord extends BlogFields {
  id: string
  version: number
  createdAt: Date
  updatedAt: Date
  media: BlogMediaRecord | null
}
type User = { id: string; name: string }

const posts = (db: SystemDb) =>
  db
    .selectFrom('blog_posts as post')
    .leftJoin('blog_files as file', 'file.id', 'post.media_id')
    .select(['post.id', 'post.slug', 'post.visibility', 'post.version'])
    .select(['post.title_it', 'post.title_en', 'post.excerpt_it', 'post.excerpt_en'])
    .select(['post.created_at', 'post.updated_at', 'post.media_id'])
    .select(['file.name as file_name', 'file.type as file_type', 'file.bytes', 'file.width', 'file.height'])
    .select(['file.sha256', 'file.created_at as file_created_at'])

const withContent = (db: SystemDb) => posts(db).select(['post.content_it', 'post.content_en'])

type Row = Awaited<ReturnType<ReturnType<typeof posts>['execute']>>[number] & {
  content_it?: string
  content_en?: string
}

const recordOf = (row: Row): BlogPostRecord => ({
  id: row.id,
  title: { it: row.title_it, en: row.title_en ?? '' },
  slug: row.slug,
  excerpt: { it: row.excerpt_it, en: row.excerpt_en ?? '' },
  content: { it: row.content_it ?? '', en: row.content_en ?? '' },
  mediaId: row.media_id,
  visibility: row.visibility as 0 | 1,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  media:
    row.media_id !== null && row.file_type !== null
      ? {
          id: row.media_id,
          name: row.file_name ?? '',
          type: row.file_type as BlogMediaRecord['type'],
          bytes: row.bytes ?? 0,
          width: row.width,
          height: row.height,
          sha256: row.sha256 ?? '',
          created_at: row.file_created_at ?? row.created_at,
        }
      : null,
})

const ordColumn = (ord: BlogPostOrd, language: Language) =>
  ({
    createdAt: sql`post.created_at`,
    updatedAt: sql`post.updated_at`,
    title: sql`lower(${blogLanguageOf(language) === 'it' ? sql`post.title_it` : sql`coalesce(post.title_en, post.title_it)`})`,
    visibility: sql`post.visibility`,
    slug: sql`post.slug`,
    excerpt: sql`lower(${blogLanguageOf(language) === 'it' ? sql`post.excerpt_it` : sql`coalesce(post.excerpt_en, post.excerpt_it)`})`,
  })[ord]

interface Order extends Sorted<BlogPostOrd> {
  /** Of the reader, for the order of titles; English by default. */
  language?: Language | undefined
}

/** A page of posts without their contents, newest first by default. */
export const listBlogPosts = (
  doors: Doors,
  { search, visibilities }: BlogPostFilters,
  page: Page & Order,
): Promise<{ rows: BlogPostRecord[]; total: number }> =>
  doors.withSystem('blog posts', async (db) => {
    const matching = <Q extends { where(condition: ReturnType<typeof sql<boolean>>): Q }>(query: Q) =>
      query
        .where(
          holds(sql`concat_ws(' ', post.title_it, post.title_en, post.excerpt_it, post.excerpt_en, post.slug)`, search),
        )
        .where(anyOf('post.visibility', visibilities, 'smallint'))
    const { total } = await matching(db.selectFrom('blog_posts as post') as ReturnType<typeof posts>)
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow()
    const ordType = page.ordType ?? 'DESC'
    const rows = await matching(posts(db))
      .orderBy(
        sql`${ordColumn(page.ord ?? 'createdAt', page.language ?? 'en')} ${directed(ordType)}, post.id ${directed(ordType)}`,
      )
      .limit(page.size)
      .offset(offsetOf(page))
      .execute()
    return { rows: rows.map(recordOf), total }
  })

export const blogPostById = (doors: Doors, id: string): Promise<BlogPostRecord | undefined> =>
  doors.withSystem(
    'blog posts',
    async (db) => {
      const row = await withContent(db).where('post.id', '=', id).executeTakeFirst()
      return row && recordOf(row)
    },
    'single statement',
  )

/** A published post; hidden ones are not found. */
export const publishedPost = (doors: Doors, slug: string): Promise<BlogPostRecord | undefined> =>
  doors.withSystem(
    'blog posts',
    async (db) => {
      const row = await withContent(db)
        .where('post.slug', '=', slug)
        .where('post.visibility', '=', 1)
        .executeTakeFirst()
      return row && recordOf(row)
    },
    'single statement',
  )

/** The first free address for a title: itself, or with a number. */
export async function freeBlogSlug(doors: Doors, slug: string): Promise<string> {
  const candidates = [slug, ...Array.from({ length: 98 }, (_, index) => `${slug.slice(0, 116)}-${index + 2}`)]
  const sameSlug = await doors.withSystem(
    'blog posts',
    (db) => db.selectFrom('blog_posts').select('slug').where('slug', 'in', candidates).execute(),
    'single statement',
  )
  const isTaken = new Set(sameSlug.map((row) => row.slug))
  return candidates.find((candidate) => !isTaken.has(candidate)) ?? ''
}

const refuseViolation = (error: unknown): never => {
  const violated = constraintOf(error)
  if (violated === 'blog_posts_slug') throw new ProductError('BlogSlugTaken', { field: 'slug' })
  if (violated === 'blog_posts_media_id_fkey') throw new ProductError('BlogFileNotFound', { field: 'mediaId' })
  throw error
}

/** The log keeps the beginning of a text only: its pictures are large. */
const loggedText = (html: string) => plainText(html).slice(0, 2_000)
const logged = ({ title, slug, excerpt, content, mediaId, visibility }: BlogFields) => ({
  title,
  slug,
  excerpt,
  mediaId,
  visibility,
  content: { it: loggedText(content.it), en: loggedText(content.en) },
})

const columnsOf = ({ title, slug, excerpt, content, mediaId, visibility }: BlogFields) => ({
  slug,
  visibility,
  media_id: mediaId,
  content_it: content.it,
  content_en: content.en,
  title_it: title.it,
  title_en: title.en,
  excerpt_it: excerpt.it,
  excerpt_en: excerpt.en,
})

const log = (
  db: SystemDb,
  action: 'blogPost.create' | 'blogPost.update' | 'blogPost.delete',
  { id, user, at }: { id: string; user: User; at: Date },
  change: { before?: object; after?: object },
) => recordProviderChange(db, { at, user, action, subjectType: 'blogPost', subjectId: id, ...change })

/** Throws BlogSlugTaken and BlogFileNotFound. */
export const insertBlogPost = (doors: Doors, id: string, fields: BlogFields, user: User, at: Date): Promise<void> =>
  doors.withSystem('blog posts', async (db) => {
    await db
      .insertInto('blog_posts')
      .values({ id, ...columnsOf(fields), created_at: at, updated_at: at })
      .execute()
      .catch(refuseViolation)
    await log(db, 'blogPost.create', { id, user, at }, { after: logged(fields) })
  })

const bothOf = ({ it, en }: BlogText) => ({ it, en })
const fieldsOf = ({ title, slug, excerpt, content, mediaId, visibility }: BlogFields): BlogFields => ({
  title: bothOf(title),
  slug,
  excerpt: bothOf(excerpt),
  content: bothOf(content),
  mediaId,
  visibility,
})

/** Stores a post unless its version is another one: then the stored one is returned. Undefined: there is none. */
export const writeBlogPost = (
  doors: Doors,
  { id, version, fields, user, at }: { id: string; version: number; fields: BlogFields; user: User; at: Date },
): Promise<{ row: BlogPostRecord; isStored: boolean } | undefined> =>
  doors.withSystem('blog posts', async (db) => {
    const held = await db.selectFrom('blog_posts').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!held) return undefined
    const read = async () => recordOf(await withContent(db).where('post.id', '=', id).executeTakeFirstOrThrow())
    const before = await read()
    if (JSON.stringify(fieldsOf(before)) === JSON.stringify(fieldsOf(fields))) return { row: before, isStored: true }
    if (before.version !== version) return { row: before, isStored: false }
    await db
      .updateTable('blog_posts')
      .set({ ...columnsOf(fields), version: version + 1, updated_at: at })
      .where('id', '=', id)
      .execute()
      .catch(refuseViolation)
    await log(db, 'blogPost.update', { id, user, at }, { before: logged(before), after: logged(fields) })
    return { row: await read(), isStored: true }
  })

/** Throws BlogPostNotFound. */
export const removeBlogPost = (doors: Doors, id: string, user: User, at: Date): Promise<void> =>
  doors.withSystem('blog posts', async (db) => {
    const row = await withContent(db).where('post.id', '=', id).forUpdate('post').executeTakeFirst()
    if (!row) throw new ProductError('BlogPostNotFound')
    await db.deleteFrom('blog_posts').where('id', '=', id).execute()
    await log(db, 'blogPost.delete', { id, user, at }, { before: logged(recordOf(row)) })
  })

export const insertBlogFile = (doors: Doors, file: BlogMediaRecord): Promise<unknown> =>
  doors.withSystem('blog posts', (db) => db.insertInto('blog_files').values(file).execute(), 'single statement')

export const blogFile = (doors: Doors, id: string): Promise<BlogMediaRecord | undefined> =>
  doors.withSystem(
    'blog posts',
    (db) => db.selectFrom('blog_files').selectAll().where('id', '=', id).executeTakeFirst(),
    'single statement',
  ) as Promise<BlogMediaRecord | undefined>

/** A file that a published post shows. */
export const publishedBlogFile = (doors: Doors, id: string): Promise<BlogMediaRecord | undefined> =>
  doors.withSystem(
    'blog posts',
    (db) =>
      db
        .selectFrom('blog_files')
        .selectAll()
        .where('id', '=', id)
        .where(sql<boolean>`exists (select 1 from blog_posts where media_id = blog_files.id and visibility = 1)`)
        .executeTakeFirst(),
    'single statement',
  ) as Promise<BlogMediaRecord | undefined>

/** Removes files that no post shows. Returns their ids. */
export const dropUnusedBlogFiles = async (doors: Doors, before: Date): Promise<string[]> => {
  const rows = await doors.withSystem(
    'blog posts',
    (db) =>
      db
        .deleteFrom('blog_files')
        .where('created_at', '<', before)
        .where(sql<boolean>`not exists (select 1 from blog_posts where media_id = blog_files.id)`)
        .returning('id')
        .execute(),
    'single statement',
  )
  return rows.map(({ id }) => id)
}
