import { ProductError } from '#contract/errors.ts'
import type { portals } from '#contract/key-portal/portal.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { blogBlob, listBlogPosts, publishedBlogFile, publishedPost } from '#database/key-portal/blog-post.ts'
import { type PortalFacts, publishedPortal } from '#database/key-portal/portal.ts'
import { portalBlob } from '#database/key-portal/portal-settings.ts'
import type { Call, Handlers } from '#server/http/handler.ts'
import { sendBlob } from '#server/http/send-blob.ts'
import { presentArticle, presentContacts, presentPortal, presentPost, presentPrivacy } from './present-portal.ts'

/** A portal is read again after this time; a change in this process shows at once. */
const keptMillis = 10_000
const mostKept = 500

type Kept = Map<string, { until: number; facts: PortalFacts }>
const keptBy = new WeakMap<Doors, Kept>()

/** Reads all portals again, after a change of settings. */
export const forgetPortals = (doors: Doors): void => {
  keptBy.delete(doors)
}

/** The published portal of an address. Throws PortalNotFound. */
export async function portalOf({ doors, now }: Pick<Call, 'doors' | 'now'>, slug: string): Promise<PortalFacts> {
  const cached: Kept = keptBy.get(doors) ?? new Map()
  keptBy.set(doors, cached)
  const entry = cached.get(slug)
  if (entry && entry.until > now.getTime()) return entry.facts
  const facts = await publishedPortal(doors, slug)
  cached.delete(slug)
  if (!facts) throw new ProductError('PortalNotFound')
  if (cached.size >= mostKept) cached.clear()
  cached.set(slug, { until: now.getTime() + keptMillis, facts })
  return facts
}

/** The files of a portal are data of others: no browser runs anything in them. */
const fileHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Public calls of customers' portals. */
export const portalHandlers: Handlers<typeof portals> = {
  getPortal: async (call) => presentPortal(await portalOf(call, call.params.portalSlug)),

  getPortalContacts: async (call) => presentContacts(await portalOf(call, call.params.portalSlug), call.query.language),

  getPortalPrivacy: async (call) => presentPrivacy(await portalOf(call, call.params.portalSlug), call.query.language),

  getPortalServices: async (call) => (await portalOf(call, call.params.portalSlug)).services,

  listPortalBlogPosts: async (call) => {
    const { settings } = await portalOf(call, call.params.portalSlug)
    const { rows, total } = await listBlogPosts(call.doors, { visibilities: [1] }, call.query)
    return { items: rows.map((post) => presentPost(settings.slug, post, call.query.language)), total, capped: false }
  },

  getPortalBlogPost: async (call) => {
    const { settings } = await portalOf(call, call.params.portalSlug)
    const post = await publishedPost(call.doors, call.params.blogSlug)
    if (!post) throw new ProductError('BlogPostNotFound')
    return presentArticle(settings.slug, post, call.query.language)
  },

  getPortalFile: async (call) => {
    const { params, request, reply, blobs, doors } = call
    const { merchantId, files } = await portalOf(call, params.portalSlug)
    const ownFile = files.find(({ id }) => id === params.fileId)
    const file = ownFile ?? (await publishedBlogFile(doors, params.fileId))
    if (!file) throw new ProductError('NotFound')
    const key = ownFile ? portalBlob(merchantId, ownFile.id) : blogBlob(file.id)
    reply.headers(fileHeaders)
    if (file.type === 'pdf') reply.header('content-disposition', 'attachment; filename="ingredients.pdf"')
    if (!(await sendBlob(request, reply, blobs, { ...file, key }))) throw new ProductError('NotFound')
  },
}
