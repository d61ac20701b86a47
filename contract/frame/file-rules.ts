import { z } from 'zod'
import { type BrokenRule, broken, saying } from './broken.ts'

/** Kinds of files, recognised by content; the ending of the name does not count. */
export const fileKinds = [
  'png',
  'jpg',
  'gif',
  'webp',
  'mp4',
  'webm',
  'pdf',
  'svg',
  'html',
  'xml',
  'zip',
  'unknown',
] as const
export type FileKind = (typeof fileKinds)[number]

/** Limits of a file. Bytes are of the file, pixels of the image by its header. */
export interface FileRule {
  kinds: readonly FileKind[]
  maxBytes: number
  maxWidth?: number
  maxHeight?: number
}

/** No image is decoded, by a browser or by us, that has more pixels than these. */
export const maxPixels = 25_000_000

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Every kind of uploaded file. */
export const fileRules = {
  /** A merchant's logo, 500 × 200 pixels at most. */
  logo: { kinds: ['png', 'jpg'], maxBytes: megabyte, maxWidth: 500, maxHeight: 200 },
  /** Ingredients of a machine's products. */
  ingredients: { kinds: ['pdf'], maxBytes: 10 * megabyte },
  /** A picture inside formatted text, which is stored with it. */
  richTextImage: { kinds: ['png', 'jpg'], maxBytes: 256 * kilobyte, maxWidth: 2000, maxHeight: 2000 },
  /** A picture of a product, which the browser scales down before it is sent. */
  productPicture: { kinds: ['png', 'jpg', 'webp'], maxBytes: 20 * megabyte },
  /** What a technician photographs; the phone scales it down. */
  visitPicture: { kinds: ['jpg'], maxBytes: 500_000 },
  /** The picture or video of a blog post. */
  blogPicture: { kinds: ['png', 'jpg', 'webp'], maxBytes: 5 * megabyte, maxWidth: 4000, maxHeight: 4000 },
  blogVideo: { kinds: ['mp4', 'webm'], maxBytes: 50 * megabyte },
  /** A picture on the touch screen of a machine. */
  screenPicture: { kinds: ['png', 'jpg', 'webp'], maxBytes: 5 * megabyte, maxWidth: 4000, maxHeight: 4000 },
  /** A video that a screen shows between customers. */
  screenVideo: { kinds: ['mp4', 'webm'], maxBytes: 100 * megabyte },
} as const satisfies Record<string, FileRule>

/** The facts from the start of a file. */
export const FileFacts = z.object({
  kind: z.enum(fileKinds),
  bytes: z.int().min(0),
  /** For an image with a complete header. */
  width: z.int().min(0).optional(),
  height: z.int().min(0).optional(),
})
export type FileFacts = z.infer<typeof FileFacts>

const isImage = (kind: FileKind) => kind === 'png' || kind === 'jpg' || kind === 'webp'

/** The first rule that a file breaks: being empty, its kind, its size, its pixels. */
export function fileFault(rule: FileRule, { kind, bytes, width, height }: FileFacts): BrokenRule | undefined {
  if (bytes === 0) return broken('fileEmpty')
  if (!rule.kinds.includes(kind)) return broken('fileKind', { kinds: rule.kinds })
  if (bytes > rule.maxBytes) return broken('fileSize', { maxBytes: rule.maxBytes })
  if (!isImage(kind)) return undefined
  if (!width || !height) return broken('imageBroken')
  if (width * height > maxPixels)
    return broken('imagePixels', { megapixels: (width * height) / 1e6, maxMegapixels: maxPixels / 1e6 })
  const { maxWidth = width, maxHeight = height } = rule
  if (width > maxWidth || height > maxHeight) return broken('imageSize', { width, height, maxWidth, maxHeight })
  return undefined
}

/** A file by its facts, for a schema. */
export const fileUnder = (rule: FileRule) =>
  FileFacts.superRefine((facts, context) => {
    const fault = fileFault(rule, facts)
    if (fault) {
      const [, name] = fault.key.split('.')
      context.addIssue({ code: 'custom', ...saying(name as Parameters<typeof saying>[0], fault.values) })
    }
  })
