import { randomUUIDv7 } from 'node:crypto'
import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import {
  type BlogFile,
  type BlogPost,
  blogFileRule,
  type blogPosts,
  type ListedBlogPost,
  type NewBlogPost,
} from '#contract/key-portal/blog-post.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import {
  type BlogMediaRecord,
  type BlogPostRecord,
  blogBlob,
  blogFile,
  blogPostById,
  dropUnusedBlogFiles,
  freeBlogSlug,
  insertBlogFile,
  insertBlogPost,
  listBlogPosts,
  publishedBlogFile,
  removeBlogPost,
  writeBlogPost,
} from '#database/key-portal/blog-post.ts'
import { imageFault } from '#domain/frame/rich-text-images.ts'
import { slugOf } from '#domain/key-portal/slug.ts'
import type { Handlers } from '#server/http/handler.ts'
import { sendBlob } from '#server/http/send-blob.ts'
import { uploadOf } from '#server/http/upload.ts'
import { checkedUpload, keepUpload } from './take-file.ts'

/** Uploads that no post shows are kept for a form that is still open. */
const keptMillis = 86_400_000

const presentFile = ({ id, name, type, bytes, width, height }: BlogMediaRecord): BlogFile => ({
  id,
  name,
  type,
  bytes,
  width,
  height,
})

const presentListed = (post: BlogPostRecord): ListedBlogPost => ({
  id: post.id,
  version: post.version,
  title: post.title,
  slug: post.slug,
  excerpt: post.excerpt,
  visibility: post.visibility,
  media: post.media && presentFile(post.media),
  createdAt: toWire(post.createdAt),
  updatedAt: toWire(post.updatedAt),
})
const present = (post: BlogPostRecord): BlogPost => ({
  ...presentListed(post),
  content: post.content,
  mediaId: post.mediaId,
})

/** Refuses pictures in a content that are no pictures. */
function refusePictures({ content }: NewBlogPost): void {
  for (const language of ['it', 'en'] as const) {
    const fault = imageFault(content[language])
    if (!fault) continue
    const { key, values } = fault
    throw new ProductError('ValidationFailed', {
      errors: [{ path: `content.${language}`, code: 'custom', message: '', rule: key, ...(values && { values }) }],
    })
  }
}

const there = <T>(row: T | undefined): T => {
  if (row === undefined) throw new ProductError('BlogPostNotFound')
  return row
}

/** The blog of all customers' portals, which the provider writes. */
export const blogPostHandlers: Handlers<typeof blogPosts> = {
  listBlogPosts: async ({ doors, query, user }) => {
    const language = languages.find((one) => one === user.language)
    const { rows, total } = await listBlogPosts(doors, query, { ...query, language })
    return { items: rows.map(presentListed), total, capped: false }
  },

  getBlogPost: async ({ doors, params }) => present(there(await blogPostById(doors, params.blogPostId))),

  getBlogSlug: async ({ doors, query }) => {
    const slug = slugOf(query.title, 120)
    return { slug: slug === '' ? '' : await freeBlogSlug(doors, slug) }
  },

  createBlogPost: async ({ doors, body, user, now }) => {
    refusePictures(body)
    const id = randomUUIDv7()
    await insertBlogPost(doors, id, body, user, now)
    return present(there(await blogPostById(doors, id)))
  },

  updateBlogPost: async ({ doors, params, body, user, now }) => {
    const { version, ...fields } = body
    refusePictures(fields)
    const stored = there(await writeBlogPost(doors, { id: params.blogPostId, version, fields, user, at: now }))
    if (stored.isStored) return present(stored.row)
    throw new ProductError('EditConflict', { current: present(stored.row), changedAt: null, changedBy: null })
  },

  deleteBlogPost: async ({ doors, params, user, now }) => {
    await removeBlogPost(doors, params.blogPostId, user, now)
    return undefined
  },

  uploadBlogFile: async ({ doors, query, request, now, blobs }) => {
    const upload = uploadOf(request)
    const { kind, bytes, width, height } = await checkedUpload(blobs, upload, (facts) => blogFileRule(facts.kind))
    for (const id of await dropUnusedBlogFiles(doors, new Date(now.getTime() - keptMillis)))
      await blobs.remove(blogBlob(id))
    const file: BlogMediaRecord = {
      id: randomUUIDv7(),
      name: query.name,
      type: kind as BlogMediaRecord['type'],
      bytes,
      width: width ?? null,
      height: height ?? null,
      sha256: upload.sha256,
      created_at: now,
    }
    await keepUpload(blobs, upload, blogBlob(file.id))
    await insertBlogFile(doors, file)
    return presentFile(file)
  },

  getBlogFileContent: async ({ doors, params, request, reply, blobs, user }) => {
    const find = roleMay(user.role, 'blogPost.read') ? blogFile : publishedBlogFile
    const file = await find(doors, params.blogFileId)
    if (!file) throw new ProductError('BlogFileNotFound')
    if (!(await sendBlob(request, reply, blobs, { ...file, key: blogBlob(file.id) })))
      throw new ProductError('BlogFileNotFound')
  },
}
