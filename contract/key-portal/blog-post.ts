import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf, Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { type FileKind, type FileRule, fileRules } from '../frame/file-rules.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { BlogContent, longestRichText } from '../rules/rich-text.ts'
import { slugPattern } from './portal.ts'

/** Whether customers see a post: 0 hidden, 1 published. */
export const BlogVisibility = z.literal([0, 1])
export type BlogVisibility = z.infer<typeof BlogVisibility>

export const blogFileTypes = ['png', 'jpg', 'webp', 'mp4', 'webm'] as const
const isVideo = (kind: FileKind) => kind === 'mp4' || kind === 'webm'
/** The rule of a post's picture or video, by its content. */
export const blogFileRule = (kind: FileKind): FileRule =>
  isVideo(kind)
    ? fileRules.blogVideo
    : { ...fileRules.blogPicture, kinds: [...fileRules.blogPicture.kinds, ...fileRules.blogVideo.kinds] }

/** The picture or video of a post. */
export const BlogFile = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  type: z.enum(blogFileTypes),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
})
export type BlogFile = z.infer<typeof BlogFile>

/** A text that is written in Italian and in English. */
const inBoth = <T extends z.ZodType>(text: T) => z.strictObject({ it: text, en: text })

export const longestBlogTitle = 160
export const longestBlogExcerpt = 400

/** A post of the blog that all customers' portals show. */
export const NewBlogPost = z.strictObject({
  title: inBoth(LineText.trim().min(1).max(longestBlogTitle)),
  /** Its part of the address; made from a title where it is left empty. */
  slug: z.string().trim().min(1).max(120).regex(slugPattern, saying('format')),
  excerpt: inBoth(Text.trim().min(1).max(longestBlogExcerpt)),
  content: BlogContent,
  mediaId: ids.blogFileId.nullable().default(null),
  visibility: BlogVisibility.default(0),
})
export type NewBlogPost = z.output<typeof NewBlogPost>

const listed = {
  id: z.uuid(),
  version: Version,
  /** A language that is not written yet is empty. */
  title: inBoth(z.string()),
  slug: z.string(),
  excerpt: inBoth(z.string()),
  visibility: BlogVisibility,
  media: BlogFile.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
}
export const ListedBlogPost = z.strictObject(listed)
export type ListedBlogPost = z.infer<typeof ListedBlogPost>
export const BlogPost = z.strictObject({
  ...listed,
  content: inBoth(z.string()),
  mediaId: z.uuid().nullable(),
})
export type BlogPost = z.infer<typeof BlogPost>

export const BlogPostFilters = z.strictObject({
  /** Search in titles, excerpts and address. */
  search: Search.optional(),
  visibilities: oneOrMany(z.coerce.number().pipe(BlogVisibility)),
})
export type BlogPostFilters = z.infer<typeof BlogPostFilters>

export type BlogPostOrd = (typeof blogPostOrds)[number]

export const blogPostColumns = {
  title: { kind: 'text', heading: 'blog-post:field.title' },
  visibility: { kind: 'plain', heading: 'blog-post:field.visibility' },
  slug: { kind: 'text', heading: 'blog-post:field.slug' },
  createdAt: { kind: 'instant', heading: 'blog-post:column.created' },
  excerpt: { kind: 'text', heading: 'blog-post:field.excerpt' },
  updatedAt: { kind: 'instant', heading: 'blog-post:column.updated' },
} as const satisfies ListColumns

export const blogPostOrds = ordsOf(blogPostColumns, 'createdAt')

const path = '/blogposts' as const
const one = '/blogposts/{blogPostId}' as const
/** Two texts with their pictures. */
const longestBody = 2 * longestRichText + 100_000
const tooLarge = 'BlogContentExceedsSizeLimits' as const

export const blogPosts = {
  listBlogPosts: endpoint({
    method: 'GET',
    path,
    summary: 'List blog posts of the customers’ portals, newest first',
    needs: 'blogPost.read',
    query: BlogPostFilters.extend(paged(blogPostOrds)),
    ok: pageOf(ListedBlogPost),
  }),
  getBlogPost: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a blog post',
    needs: 'blogPost.read',
    ok: BlogPost,
    fails: ['BlogPostNotFound'],
  }),
  getBlogSlug: endpoint({
    method: 'GET',
    path: '/blogpost-slug',
    summary: 'Get a free address for a title; empty if no letter of the title has a Latin spelling',
    needs: 'blogPost.write',
    query: z.strictObject({ title: LineText.trim().min(1).max(longestBlogTitle) }),
    ok: z.strictObject({ slug: z.string() }),
  }),
  createBlogPost: endpoint({
    method: 'POST',
    path,
    summary: 'Create a blog post with its texts in Italian and English',
    needs: 'blogPost.write',
    body: NewBlogPost,
    ok: BlogPost,
    status: 201,
    fails: ['BlogSlugTaken', 'BlogFileNotFound', 'ValidationFailed'],
    longestBody,
    tooLarge,
  }),
  updateBlogPost: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a blog post, or publish or hide it',
    needs: 'blogPost.write',
    body: editOf(NewBlogPost),
    ok: BlogPost,
    fails: ['BlogPostNotFound', 'BlogSlugTaken', 'BlogFileNotFound', 'EditConflict', 'ValidationFailed'],
    longestBody,
    tooLarge,
  }),
  deleteBlogPost: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a blog post',
    needs: 'blogPost.write',
    fails: ['BlogPostNotFound'],
  }),
  uploadBlogFile: endpoint({
    method: 'POST',
    path: '/blogpost-files',
    summary: 'Add the picture or video of a blog post',
    needs: 'blogPost.write',
    takes: 'application/octet-stream',
    query: z.strictObject({ name: LineText.trim().min(1).max(200), bytes: z.coerce.number().int().min(0) }),
    ok: BlogFile,
    status: 201,
    fails: ['UpdateFileEmpty', 'UpdateFileIncomplete', 'ValidationFailed'],
    longestBody: fileRules.blogVideo.maxBytes,
    timeOut: 'large',
  }),
  getBlogFileContent: endpoint({
    method: 'GET',
    path: '/blogpost-files/{blogFileId}/content',
    summary: 'Get the picture or video of a blog post, also before it is published',
    needs: 'portalPreview.read',
    produces: 'application/octet-stream',
    fails: ['BlogFileNotFound'],
    timeOut: 'large',
  }),
}
