import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, paged, pageOf } from '../frame/shapes.ts'
import type { Numbers } from '../vocabulary/numbers.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

/*
 * What customers see of a merchant's key portal, without signing in. The merchant is named by the address of its portal; a portal
 * that is not published is not found.
 */

/** The last part of `/key/{slug}` and of a blog post's address: lower-case letters, digits and single hyphens. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const PortalSlug = z.string().min(3).max(60).regex(slugPattern)
export const BlogSlug = z.string().min(1).max(120).regex(slugPattern)

/** Looks of the mobile app, by number. */
export const mobileThemes = { light: 0, dark: 1 } as const satisfies Numbers
export const MobileTheme = z.literal(Object.values(mobileThemes))
export type MobileTheme = z.infer<typeof MobileTheme>

/** The merchant's color, and colors of text that can be read (WCAG 2, 4.5:1). All are #rrggbb. */
export const PortalColours = z.strictObject({
  brand: z.string(),
  /** Text on the brand color. */
  onBrand: z.string(),
  /** The brand color as text on a light page, and on a dark page. */
  onLight: z.string(),
  onDark: z.string(),
})
export type PortalColours = z.infer<typeof PortalColours>

export const PortalPicture = z.strictObject({ url: z.string(), width: z.int(), height: z.int() })
export type PortalPicture = z.infer<typeof PortalPicture>

/** What customers can do in the portal. */
export const PortalServices = z.strictObject({
  /** The merchant has media for customers. Without them, the portal only informs. */
  media: z.boolean(),
  /** A payment service accepts recharges. */
  recharge: z.boolean(),
  /** The merchant publishes the ingredients of its products. */
  ingredients: z.boolean(),
})
export type PortalServices = z.infer<typeof PortalServices>

export const Portal = z.strictObject({
  /** The portal's current address; it differs from the called one after a change. */
  slug: z.string(),
  name: z.string(),
  website: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  colours: PortalColours,
  theme: MobileTheme,
  logo: PortalPicture.nullable(),
  appLogo: PortalPicture.nullable(),
  /** A PDF. */
  ingredientsUrl: z.string().nullable(),
  /** Languages with texts. */
  languages: z.array(Language),
  currency: Currency,
  timeZone: z.string(),
  services: PortalServices,
})
export type Portal = z.infer<typeof Portal>

/** A text in the requested language, else in English, else in Italian. */
const PortalText = z.strictObject({ language: Language, html: z.string() })
export const PortalContacts = PortalText.extend({
  website: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
})
export type PortalContacts = z.infer<typeof PortalContacts>
export const PortalPrivacy = PortalText
export type PortalPrivacy = z.infer<typeof PortalPrivacy>

/** The picture or video of a post. */
export const PortalBlogMedia = z.strictObject({
  url: z.string(),
  kind: z.enum(['picture', 'video']),
  width: z.int().nullable(),
  height: z.int().nullable(),
})
export const PortalBlogPost = z.strictObject({
  slug: z.string(),
  /** Title and excerpt are Italian for Italian readers, otherwise English; where that is not written, in the other language. */
  title: z.string(),
  excerpt: z.string(),
  media: PortalBlogMedia.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type PortalBlogPost = z.infer<typeof PortalBlogPost>

const inBoth = z.strictObject({ it: z.string(), en: z.string() })
/** A post as the staff's preview gets it. */
export const PreviewBlogPost = PortalBlogPost.extend({ title: inBoth, excerpt: inBoth })
export type PreviewBlogPost = z.infer<typeof PreviewBlogPost>

export const PortalBlogArticle = PortalBlogPost.extend({
  /** Italian for Italian readers, otherwise English. */
  language: z.enum(['it', 'en']),
  html: z.string(),
})
export type PortalBlogArticle = z.infer<typeof PortalBlogArticle>

const portal = '/cogeskey/{portalSlug}' as const
const publicly = {
  method: 'GET',
  needs: 'anyone',
  limit: 'publicPortal',
  isCacheable: true,
} as const
const params = { portalSlug: PortalSlug }
const fails = ['PortalNotFound', 'TooManyRequests'] as const
const inLanguage = z.strictObject({ language: Language.default('en') })

export const portals = {
  getPortal: endpoint({
    ...publicly,
    params,
    path: portal,
    summary: 'Get name, colors, logos and services of a published customers’ portal',
    ok: Portal,
    fails,
  }),
  getPortalContacts: endpoint({
    ...publicly,
    params,
    path: `${portal}/contacts`,
    summary: 'Get the contacts of a published customers’ portal',
    query: inLanguage,
    ok: PortalContacts,
    fails,
  }),
  getPortalPrivacy: endpoint({
    ...publicly,
    params,
    path: `${portal}/privacy`,
    summary: 'Get the privacy text of a published customers’ portal',
    query: inLanguage,
    ok: PortalPrivacy,
    fails,
  }),
  getPortalServices: endpoint({
    ...publicly,
    params,
    path: `${portal}/services`,
    summary: 'Get what customers can do in a published portal',
    ok: PortalServices,
    fails,
  }),
  listPortalBlogPosts: endpoint({
    ...publicly,
    params,
    path: `${portal}/blogposts`,
    summary: 'List the published blog posts, newest first',
    query: inLanguage.extend({
      page: paged(['createdAt']).page,
      size: z.coerce.number().int().min(1).max(50).default(20),
    }),
    ok: pageOf(PortalBlogPost),
    fails,
  }),
  getPortalBlogPost: endpoint({
    ...publicly,
    params: { ...params, blogSlug: BlogSlug },
    path: `${portal}/blogposts/{blogSlug}`,
    summary: 'Get a published blog post',
    query: inLanguage,
    ok: PortalBlogArticle,
    fails: [...fails, 'BlogPostNotFound'],
  }),
  getPortalFile: endpoint({
    method: 'GET',
    needs: 'anyone',
    limit: 'publicPortal',
    params: { ...params, fileId: z.uuid() },
    path: `${portal}/files/{fileId}`,
    summary: 'Get a logo, the ingredients, or the picture or video of a published post',
    produces: 'application/octet-stream',
    fails: [...fails, 'NotFound'],
    timeOut: 'large',
  }),
}
