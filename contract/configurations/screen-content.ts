import { z } from 'zod'
import { TimeOfDay } from '../catalogue/no-vend-profile.ts'
import { SelectionName } from '../device-protocol.ts'
import { always, saying } from '../frame/broken.ts'
import { ids } from '../frame/ids.ts'
import { LineText } from '../frame/shapes.ts'
import { Language } from '../vocabulary/world/languages.ts'

const isUnique = (all: readonly unknown[]) => new Set(all).size === all.length

/** Pixels of the touch screens. */
export const screenSizes = {
  portrait7: { width: 600, height: 1024 },
  portrait10: { width: 800, height: 1280 },
  landscape10: { width: 1280, height: 800 },
  portrait21: { width: 1080, height: 1920 },
} as const satisfies Record<string, { width: number; height: number }>
export type ScreenSize = keyof typeof screenSizes
export const screenSizeNames = Object.keys(screenSizes) as [ScreenSize, ...ScreenSize[]]
export const ScreenSize = z.enum(screenSizeNames)

/** A text on the screen by language. A missing language shows the text of the first one. */
export const ScreenTexts = z.partialRecord(Language, LineText.trim().max(40))
export type ScreenTexts = z.infer<typeof ScreenTexts>

/** The picture of a button: the product's own, an uploaded file, or none. */
export const buttonPictures = ['product', 'file', 'none'] as const

/** A product on a menu page. Without a text the button shows the product's name. */
export const ScreenButton = z
  .strictObject({
    selection: SelectionName,
    productId: ids.productId,
    texts: ScreenTexts.default({}),
    picture: z.enum(buttonPictures).default('product'),
    fileId: ids.screenFileId.nullable().default(null),
  })
  .check(
    z.superRefine(({ picture, fileId }, context) => {
      if (picture === 'file' && fileId === null)
        context.addIssue({ code: 'custom', ...saying('required'), path: ['fileId'] })
    }, always),
  )
export type ScreenButton = z.output<typeof ScreenButton>

export const mostScreenButtons = 24
export const mostScreenPages = 12

/** A page of the menu. Its buttons are unique by selection. */
export const ScreenPage = z.strictObject({
  titles: ScreenTexts,
  buttons: z
    .array(ScreenButton)
    .max(mostScreenButtons)
    .refine((buttons) => isUnique(buttons.map(({ selection }) => selection)), saying('choice')),
})
export type ScreenPage = z.output<typeof ScreenPage>

export const idleKinds = ['none', 'pictures', 'video'] as const

/** What the screen shows between customers. */
export const ScreenIdle = z
  .strictObject({
    kind: z.enum(idleKinds),
    fileIds: z.array(ids.screenFileId).max(20).refine(isUnique, saying('choice')).default([]),
    /** Seconds of each picture. */
    seconds: z.int().min(2).max(300).default(8),
    /** Seconds without a touch until it starts. */
    after: z.int().min(5).max(3600).default(30),
  })
  .check(
    z.superRefine(({ kind, fileIds }, context) => {
      if ((kind === 'pictures' && fileIds.length === 0) || (kind === 'video' && fileIds.length !== 1))
        context.addIssue({ code: 'custom', ...saying('required'), path: ['fileIds'] })
    }, always),
  )
export type ScreenIdle = z.output<typeof ScreenIdle>

const Colour = z
  .string()
  .min(1)
  .regex(/^#[0-9a-f]{6}$/, saying('format'))
export const colourNames = ['background', 'text', 'button', 'buttonText', 'accent'] as const
export const ScreenColours = z.strictObject({
  background: Colour,
  text: Colour,
  button: Colour,
  buttonText: Colour,
  accent: Colour,
})
export type ScreenColours = z.infer<typeof ScreenColours>
export const defaultColours: ScreenColours = {
  background: '#ffffff',
  text: '#1c2430',
  button: '#f1f4f8',
  buttonText: '#1c2430',
  accent: '#00857a',
}

/** Weekly hours on the machine's clock, as of a no-vend profile. Outside them the screen is dark; without hours it is always on. */
export const ScreenHours = z.strictObject({
  days: z.array(z.int().min(1).max(7)).min(1).max(7).refine(isUnique, saying('choice')),
  from: TimeOfDay,
  to: TimeOfDay,
})
export type ScreenHours = z.infer<typeof ScreenHours>

/** A screen configuration as users edit it. */
export const NewScreenConfiguration = z.strictObject({
  name: LineText.trim().min(1).max(120),
  size: ScreenSize,
  idle: ScreenIdle.default({ kind: 'none', fileIds: [], seconds: 8, after: 30 }),
  pages: z.array(ScreenPage).max(mostScreenPages).default([]),
  showPrices: z.boolean().default(true),
  /** The first one is the default. */
  languages: z.array(Language).min(1).max(6).refine(isUnique, saying('choice')),
  colours: ScreenColours.default(defaultColours),
  schedule: z.array(ScreenHours).max(28).default([]),
})
export type NewScreenConfiguration = z.output<typeof NewScreenConfiguration>

/** Files of a configuration, each once. */
export const filesOfScreen = ({ idle, pages }: Pick<NewScreenConfiguration, 'idle' | 'pages'>): string[] => [
  ...new Set([
    ...(idle.kind === 'none' ? [] : idle.fileIds),
    ...pages.flatMap(({ buttons }) =>
      buttons.flatMap(({ picture, fileId }) => (picture === 'file' && fileId ? [fileId] : [])),
    ),
  ]),
]

/** Products of a configuration, each once. */
export const productsOfScreen = ({ pages }: Pick<NewScreenConfiguration, 'pages'>): string[] => [
  ...new Set(pages.flatMap(({ buttons }) => buttons.map(({ productId }) => productId))),
]
