import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import type { PreviewBlogPost } from '#contract/key-portal/portal.ts'
import {
  type NewPortalSettings,
  type PortalFile,
  type PortalFileUse,
  type PortalSettings,
  portalFileRule,
  type portalSettings,
} from '#contract/key-portal/portal-settings.ts'
import { plainText } from '#contract/rules/rich-text.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { listBlogPosts } from '#database/key-portal/blog-post.ts'
import { portalFactsWith } from '#database/key-portal/portal.ts'
import { claimSlug, freeSlug } from '#database/key-portal/portal-directory.ts'
import {
  dropUnusedFiles,
  insertPortalFile,
  portalBlob,
  portalFileCount,
  portalFilesOf,
  portalSettingsOf,
  type StoredPortal,
  type StoredPortalFile,
  writePortalSettings,
} from '#database/key-portal/portal-settings.ts'
import { findMerchant } from '#database/merchants/merchant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { changedFields } from '#domain/frame/editing.ts'
import { imageFault } from '#domain/frame/rich-text-images.ts'
import { slugOf } from '#domain/key-portal/slug.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { sendBlob } from '#server/http/send-blob.ts'
import { uploadOf } from '#server/http/upload.ts'
import { forgetPortals } from './portal.ts'
import { presentPortal, previewedPost } from './present-portal.ts'
import { checkedUpload, keepUpload } from './take-file.ts'

const subjectType = 'portalSettings'
/** The color of a portal before it is chosen. */
const firstColour = '#8f5f12'
/** Uploads that no settings use are kept for a form that is still open. */
const keptMillis = 86_400_000
const mostFiles = 60

const presentFile = (file: StoredPortalFile): PortalFile => ({
  id: file.id,
  merchantId: file.merchant_id,
  use: file.use,
  name: file.name,
  type: file.type,
  bytes: file.bytes,
  width: file.width,
  height: file.height,
})

const noTexts = Object.fromEntries(languages.map((language) => [language, ''])) as Record<Language, string>

/** A portal before its first save: the merchant's name, and an address made from it. */
async function startOf({ db, doors, params }: TenantCall & { params: { merchantId: string } }): Promise<StoredPortal> {
  const merchant = await findMerchant(db, params.merchantId)
  if (!merchant) throw new ProductError('MerchantNotFoundException')
  const slug = slugOf(merchant.name)
  return {
    slug: slug.length < 3 ? '' : await freeSlug(doors, params.merchantId, slug),
    name: merchant.name.slice(0, 80),
    colour: firstColour,
    theme: 0,
    website: null,
    phone: null,
    email: null,
    contacts: noTexts,
    privacy: noTexts,
    logoId: null,
    appLogoId: null,
    ingredientsId: null,
    isPublished: false,
    version: 0,
  }
}

const filesOf = (db: TenantCall['db'], { logoId, appLogoId, ingredientsId }: StoredPortal) =>
  portalFilesOf(db, [logoId, appLogoId, ingredientsId])

const present = (merchantId: string, stored: StoredPortal, files: StoredPortalFile[]): PortalSettings => ({
  merchantId,
  ...stored,
  contacts: { ...noTexts, ...stored.contacts },
  privacy: { ...noTexts, ...stored.privacy },
  files: files.map(presentFile),
})

/** The log keeps the beginning of a text only: its pictures are large. */
const logged = ({ version: _, contacts, privacy, ...fields }: StoredPortal) => {
  const beginning = (texts: StoredPortal['contacts']) =>
    Object.fromEntries(Object.entries(texts).map(([language, html]) => [language, plainText(html).slice(0, 1_000)]))
  return { ...fields, contacts: beginning(contacts), privacy: beginning(privacy) }
}

/** Refuses pictures in texts that are no pictures. */
function refusePictures({ contacts, privacy }: NewPortalSettings): void {
  for (const [field, texts] of Object.entries({ contacts, privacy }))
    for (const [language, html] of Object.entries(texts)) {
      const fault = imageFault(html)
      if (!fault) continue
      const { key, values } = fault
      throw new ProductError('ValidationFailed', {
        errors: [{ path: `${field}.${language}`, code: 'custom', message: '', rule: key, ...(values && { values }) }],
      })
    }
}

/** Refuses a file that was uploaded for another use. */
function refuseOtherUse(files: readonly StoredPortalFile[], fields: NewPortalSettings): void {
  const uses: [PortalFileUse, string | null][] = [
    ['logo', fields.logoId],
    ['appLogo', fields.appLogoId],
    ['ingredients', fields.ingredientsId],
  ]
  for (const [use, id] of uses)
    if (id !== null && files.find((file) => file.id === id)?.use !== use)
      throw new ProductError('PortalFileNotFound', { field: `${use}Id` })
}

/** The customers' portal of a merchant, before and after it is published. */
export const portalSettingsHandlers: Handlers<typeof portalSettings> = {
  getPortalSettings: async (call) => {
    const { db, params } = call
    refuseAll(params.merchantId)
    const stored = (await portalSettingsOf(db, params.merchantId)) ?? (await startOf(call))
    return present(params.merchantId, stored, await filesOf(db, stored))
  },

  updatePortalSettings: async ({ db, doors, params, body, user, now, live }) => {
    const { merchantId } = params
    refuseAll(merchantId)
    const { version, ...fields } = body
    refusePictures(fields)
    const before = await portalSettingsOf(db, merchantId, 'hold')
    const after: StoredPortal = { ...fields, version: version + 1 }
    const files = await filesOf(db, after)
    if (before) {
      const { version: _, ...stored } = before
      // The same content is stored already: a repeated save.
      if (changedFields(fields, stored).length === 0) return present(merchantId, before, files)
      if (before.version !== version)
        return refuseOvertaken(
          { db, user },
          subjectType,
          merchantId,
          present(merchantId, before, await filesOf(db, before)),
        )
    } else if (version !== 0)
      throw new ProductError('EditConflict', { current: null, changedAt: null, changedBy: null })
    refuseOtherUse(files, fields)
    if (before?.slug !== fields.slug) await claimSlug(doors, merchantId, fields.slug)
    if (!(await writePortalSettings(db, merchantId, after, now))) {
      const stored = await portalSettingsOf(db, merchantId)
      return refuseOvertaken(
        { db, user },
        subjectType,
        merchantId,
        stored ? present(merchantId, stored, await filesOf(db, stored)) : null,
      )
    }
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'portalSettings.update',
      subjectType,
      subjectId: merchantId,
      ...(before && { before: logged(before) }),
      after: logged(after),
    })
    db.afterCommit(() => {
      forgetPortals(doors)
      live.announce(merchantId, 'portal')
    })
    return present(merchantId, after, files)
  },

  uploadPortalFile: async ({ db, params, query, request, now, blobs }) => {
    const { merchantId } = params
    refuseAll(merchantId)
    const upload = uploadOf(request)
    const { kind, bytes, width, height } = await checkedUpload(blobs, upload, () => portalFileRule(query.use))
    const dropped = await dropUnusedFiles(db, merchantId, new Date(now.getTime() - keptMillis))
    db.afterCommit(() => {
      for (const id of dropped) blobs.remove(portalBlob(merchantId, id)).catch(() => undefined)
    })
    if ((await portalFileCount(db, merchantId)) >= mostFiles)
      throw new ProductError('TooManyPortalFiles', { most: mostFiles })
    const file: StoredPortalFile = {
      merchant_id: merchantId,
      id: randomUUIDv7(),
      use: query.use,
      name: query.name,
      bytes,
      type: kind as StoredPortalFile['type'],
      width: width ?? null,
      height: height ?? null,
      sha256: upload.sha256,
      created_at: now,
    }
    await insertPortalFile(db, file)
    await keepUpload(blobs, upload, portalBlob(merchantId, file.id))
    return presentFile(file)
  },

  getPortalFileContent: async ({ db, params, request, reply, blobs }) => {
    const [file] = await portalFilesOf(db, [params.portalFileId])
    if (!file) throw new ProductError('PortalFileNotFound')
    const key = portalBlob(file.merchant_id, file.id)
    if (!(await sendBlob(request, reply, blobs, { ...file, key }))) throw new ProductError('PortalFileNotFound')
  },

  getPortalPreview: async (call) => {
    const { db, doors, params } = call
    refuseAll(params.merchantId)
    const settings = (await portalSettingsOf(db, params.merchantId)) ?? (await startOf(call))
    const facts = await portalFactsWith(db, params.merchantId, settings)
    if (!facts) throw new ProductError('MerchantNotFoundException')
    const { rows } = await listBlogPosts(doors, { visibilities: [1] }, { page: 1, size: 20 })
    const posts: PreviewBlogPost[] = rows.map((post) => previewedPost(settings.slug, post))
    return {
      portal: presentPortal(facts),
      logoId: settings.logoId,
      appLogoId: settings.appLogoId,
      ingredientsId: settings.ingredientsId,
      contacts: { ...noTexts, ...settings.contacts },
      privacy: { ...noTexts, ...settings.privacy },
      posts,
      isPublished: settings.isPublished,
      isSaved: settings.version > 0,
    }
  },
}
