import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { fileRules } from '../frame/file-rules.ts'
import { Instant, LineText } from '../frame/shapes.ts'

/** Uploaded pictures and videos of screen configurations. */

export const screenFileKinds = ['picture', 'video'] as const
export const ScreenFileKind = z.enum(screenFileKinds)
export type ScreenFileKind = z.infer<typeof ScreenFileKind>

/** The file types that screens show. The server takes the type from the content. */
export const screenFileTypes = ['png', 'jpg', 'webp', 'mp4', 'webm'] as const

export const ScreenFile = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  name: z.string(),
  kind: ScreenFileKind,
  /** Null until the upload is complete. */
  type: z.enum(screenFileTypes).nullable(),
  bytes: z.int(),
  isComplete: z.boolean(),
  createdAt: Instant,
})
export type ScreenFile = z.infer<typeof ScreenFile>

/** Bytes of a part; only the last part is smaller. */
export const screenPartBytes = 3 * 1024 * 1024
/** Maximum files of a merchant, and their bytes in total. */
export const mostScreenFiles = 300
export const mostScreenBytes = 2 * 1024 ** 3

export const screenRuleOf = (kind: ScreenFileKind) =>
  kind === 'video' ? fileRules.screenVideo : fileRules.screenPicture

export const NewScreenFile = z
  .strictObject({ name: LineText.trim().min(1).max(120), kind: ScreenFileKind, bytes: z.int() })
  .superRefine(({ kind, bytes }, context) => {
    const add = (name: 'fileEmpty' | 'fileSize', values?: { maxBytes: number }) =>
      context.addIssue({ code: 'custom', ...saying(name, values), path: ['bytes'] })
    const { maxBytes } = screenRuleOf(kind)
    if (bytes <= 0) add('fileEmpty')
    else if (bytes > maxBytes) add('fileSize', { maxBytes })
  })

const feature = 'screenConfigurationManagement' as const
const path = '/merchants/{merchantId}/screen-configuration-files' as const
const one = '/merchants/{merchantId}/screen-configuration-files/{screenFileId}' as const

export const screenFiles = {
  listScreenFiles: endpoint({
    method: 'GET',
    path,
    summary: 'List uploaded pictures and videos, newest first',
    needs: 'screen.read',
    feature,
    topics: ['screenConfiguration'],
    ok: z.array(ScreenFile),
  }),
  createScreenFile: endpoint({
    method: 'POST',
    path,
    summary: 'Create a picture or video before its parts are sent',
    needs: 'screen.write',
    feature,
    body: NewScreenFile,
    ok: ScreenFile,
    status: 201,
    fails: ['MerchantNotSelected', 'TooManyScreenFiles'],
  }),
  putScreenFilePart: endpoint({
    method: 'PUT',
    path: `${one}/parts/{part}`,
    summary: 'Set a part of a file in base64; parts have 3 MB and start at 0, the last one completes the file',
    needs: 'screen.write',
    feature,
    params: { part: z.coerce.number().int().min(0).max(1000) },
    finds: ['screenFileId'],
    body: z.strictObject({
      data: z
        .base64()
        .min(1)
        .max(Math.ceil(screenPartBytes / 3) * 4),
    }),
    ok: ScreenFile,
    fails: ['ScreenFileNotFound', 'ValidationFailed'],
    longestBody: Math.ceil(screenPartBytes / 3) * 4 + 1000,
  }),
  getScreenFileContent: endpoint({
    method: 'GET',
    path: `${one}/content`,
    summary: 'Get a picture or video',
    needs: 'screen.read',
    feature,
    finds: ['screenFileId'],
    produces: 'application/octet-stream',
    fails: ['ScreenFileNotFound'],
    timeOut: 'large',
  }),
  deleteScreenFile: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a picture or video that no configuration uses',
    needs: 'screen.write',
    feature,
    fails: ['ScreenFileNotFound', 'ScreenFileInUse'],
  }),
}
