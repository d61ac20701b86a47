import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { fileRules } from '../frame/file-rules.ts'
import { ids } from '../frame/ids.ts'
import { LineText } from '../frame/shapes.ts'
import { Phone } from '../rules/phone.ts'
import { isRichTextSaid, RichText } from '../rules/rich-text.ts'
import { Email, WebAddress } from '../rules/text.ts'
import { byLanguage, Language } from '../vocabulary/world/languages.ts'
import { MobileTheme, Portal, PreviewBlogPost, slugPattern } from './portal.ts'

/** The uploaded files of a portal. */
export const portalFileUses = ['logo', 'appLogo', 'ingredients'] as const
export const PortalFileUse = z.enum(portalFileUses)
export type PortalFileUse = z.infer<typeof PortalFileUse>
export const portalFileRule = (use: PortalFileUse) => (use === 'ingredients' ? fileRules.ingredients : fileRules.logo)

export const PortalFile = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  use: PortalFileUse,
  name: z.string(),
  type: z.enum(['png', 'jpg', 'pdf']),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
})
export type PortalFile = z.infer<typeof PortalFile>

/** Languages that a text must have. */
export const requiredTextLanguages = ['it', 'en'] as const
/** A text in several languages; Italian and English are required, an empty text is a missing one. */
export const PortalTexts = z
  .strictObject({ ...byLanguage(() => RichText.default('')), it: RichText, en: RichText })
  .superRefine((texts, context) => {
    for (const language of requiredTextLanguages)
      if (!isRichTextSaid(texts[language]))
        context.addIssue({ code: 'custom', ...saying('required'), path: [language] })
    const written = Object.values(texts).reduce((length, text) => length + text.length, 0)
    if (written > longestPortalTexts) context.addIssue({ code: 'custom', ...saying('richTextSize'), path: ['it'] })
  })
export type PortalTexts = z.infer<typeof PortalTexts>
/** Length of one text in all languages. */
export const longestPortalTexts = 1_500_000

/** A color as #rrggbb. */
export const Colour = z.string().regex(/^#[\da-f]{6}$/, saying('format'))

/** The portal as the provider's super admin enters it for a merchant. */
export const NewPortalSettings = z.strictObject({
  /** The address: `/key/{slug}`. */
  slug: z.string().trim().min(3).max(60).regex(slugPattern, saying('format')),
  name: LineText.trim().min(1).max(80),
  website: WebAddress.nullable().default(null),
  colour: Colour,
  theme: MobileTheme.default(0),
  phone: Phone.nullable().default(null),
  email: Email.nullable().default(null),
  contacts: PortalTexts,
  privacy: PortalTexts,
  logoId: ids.portalFileId.nullable().default(null),
  appLogoId: ids.portalFileId.nullable().default(null),
  ingredientsId: ids.portalFileId.nullable().default(null),
  isPublished: z.boolean().default(false),
})
export type NewPortalSettings = z.output<typeof NewPortalSettings>

/** The settings, or the start of new ones: then `version` is 0. */
export const PortalSettings = z.strictObject({
  merchantId: z.uuid(),
  version: z.int().min(0),
  slug: z.string(),
  name: z.string(),
  website: z.string().nullable(),
  colour: z.string(),
  theme: MobileTheme,
  phone: z.string().nullable(),
  email: z.string().nullable(),
  contacts: z.record(Language, z.string()),
  privacy: z.record(Language, z.string()),
  logoId: z.uuid().nullable(),
  appLogoId: z.uuid().nullable(),
  ingredientsId: z.uuid().nullable(),
  isPublished: z.boolean(),
  /** The uploaded files that the settings use. */
  files: z.array(PortalFile),
})
export type PortalSettings = z.infer<typeof PortalSettings>

/** The portal before it is published: pictures have no address, the preview loads them by their ids. */
export const PortalPreview = z.strictObject({
  portal: Portal,
  logoId: z.uuid().nullable(),
  appLogoId: z.uuid().nullable(),
  ingredientsId: z.uuid().nullable(),
  contacts: z.record(Language, z.string()),
  privacy: z.record(Language, z.string()),
  /** In both languages: the reader chooses in the preview. */
  posts: z.array(PreviewBlogPost),
  isPublished: z.boolean(),
  /** False: the settings were never saved, and the portal is the start of new ones. */
  isSaved: z.boolean(),
})
export type PortalPreview = z.infer<typeof PortalPreview>

const path = '/merchants/{merchantId}/portal-settings' as const
const file = `${path}/files` as const

export const portalSettings = {
  getPortalSettings: endpoint({
    method: 'GET',
    path,
    summary: 'Get the settings of a merchant’s customers’ portal; version 0 before they are saved',
    needs: 'portalSettings.read',
    topics: ['portal'],
    ok: PortalSettings,
    fails: ['MerchantNotFoundException'],
  }),
  updatePortalSettings: endpoint({
    method: 'PUT',
    path,
    summary: 'Set the settings of a merchant’s customers’ portal, and whether it is published',
    needs: 'portalSettings.write',
    body: editOf(NewPortalSettings).safeExtend({ version: z.int().min(0) }),
    ok: PortalSettings,
    fails: ['MerchantNotFoundException', 'PortalFileNotFound', 'PortalSlugTaken', 'EditConflict'],
    longestBody: 2 * longestPortalTexts + 200_000,
  }),
  uploadPortalFile: endpoint({
    method: 'POST',
    path: file,
    summary: 'Add a logo (PNG or JPEG, 500 × 200 pixels at most) or the ingredients (PDF)',
    needs: 'portalSettings.write',
    takes: 'application/octet-stream',
    query: z.strictObject({
      use: PortalFileUse,
      name: LineText.trim().min(1).max(200),
      bytes: z.coerce.number().int().min(0),
    }),
    ok: PortalFile,
    status: 201,
    fails: ['MerchantNotFoundException', 'UpdateFileEmpty', 'UpdateFileIncomplete', 'TooManyPortalFiles'],
    longestBody: fileRules.ingredients.maxBytes,
    timeOut: 'large',
  }),
  getPortalFileContent: endpoint({
    method: 'GET',
    path: `${file}/{portalFileId}/content`,
    summary: 'Get a file of a portal, also before it is published',
    needs: 'portalPreview.read',
    finds: ['portalFileId'],
    produces: 'application/octet-stream',
    fails: ['PortalFileNotFound'],
    timeOut: 'large',
  }),
  getPortalPreview: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/portal-preview',
    summary: 'Get a merchant’s customers’ portal as it will be shown',
    needs: 'portalPreview.read',
    topics: ['portal'],
    ok: PortalPreview,
    fails: ['MerchantNotFoundException'],
  }),
}
