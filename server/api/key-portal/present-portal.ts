import { toWire } from '#contract/frame/instant.ts'
import type {
  Portal,
  PortalBlogArticle,
  PortalBlogPost,
  PortalContacts,
  PortalPicture,
  PortalPrivacy,
  PreviewBlogPost,
} from '#contract/key-portal/portal.ts'
import type { PortalTexts } from '#contract/key-portal/portal-settings.ts'
import { isRichTextSaid } from '#contract/rules/rich-text.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import type { BlogPostRecord } from '#database/key-portal/blog-post.ts'
import type { PortalFacts } from '#database/key-portal/portal.ts'
import { blogLanguageOf, blogTextFor } from '#domain/key-portal/blog-language.ts'
import { portalColoursOf } from '#domain/key-portal/colours.ts'
import { apiPrefix } from '#server/http/prefix.ts'

/** The public address of a portal's file. */
const fileUrl = (slug: string, fileId: string) => `${apiPrefix}/cogeskey/${slug}/files/${fileId}`

export function presentPortal({ settings, files, currency, timeZone, services }: PortalFacts): Portal {
  const pictureOf = (id: string | null): PortalPicture | null => {
    const file = files.find((one) => one.id === id)
    return file ? { url: fileUrl(settings.slug, file.id), width: file.width ?? 0, height: file.height ?? 0 } : null
  }
  const { slug, name, website, phone, email, colour, theme, logoId, appLogoId, ingredientsId } = settings
  return {
    slug,
    name,
    website,
    phone,
    email,
    theme,
    currency,
    timeZone,
    services,
    colours: portalColoursOf(colour),
    logo: pictureOf(logoId),
    appLogo: pictureOf(appLogoId),
    ingredientsUrl: ingredientsId ? fileUrl(slug, ingredientsId) : null,
    languages: languages.filter((language) => isRichTextSaid(settings.privacy[language])),
  }
}

/** A text in a language, else in English. */
function textIn(texts: PortalTexts, language: Language): PortalPrivacy {
  const best = [language, 'en' as const].find((one) => isRichTextSaid(texts[one])) ?? 'it'
  return { language: best, html: texts[best] }
}

export const presentPrivacy = ({ settings }: PortalFacts, language: Language): PortalPrivacy =>
  textIn(settings.privacy, language)

export const presentContacts = ({ settings }: PortalFacts, language: Language): PortalContacts => ({
  ...textIn(settings.contacts, language),
  website: settings.website,
  phone: settings.phone,
  email: settings.email,
})

/** A post as a portal shows it. */
export const presentPost = (slug: string, post: BlogPostRecord, language: Language): PortalBlogPost => ({
  ...previewedPost(slug, post),
  title: blogTextFor(post.title, language),
  excerpt: blogTextFor(post.excerpt, language),
})

/** A post for the staff's preview, in both languages. */
export const previewedPost = (slug: string, post: BlogPostRecord): PreviewBlogPost => ({
  slug: post.slug,
  title: post.title,
  excerpt: post.excerpt,
  media: post.media && {
    url: fileUrl(slug, post.media.id),
    kind: post.media.type === 'mp4' || post.media.type === 'webm' ? 'video' : 'picture',
    width: post.media.width,
    height: post.media.height,
  },
  createdAt: toWire(post.createdAt),
  updatedAt: toWire(post.updatedAt),
})

export const presentArticle = (slug: string, post: BlogPostRecord, language: Language): PortalBlogArticle => {
  const read = blogLanguageOf(language)
  return { ...presentPost(slug, post, language), language: read, html: post.content[read] }
}
