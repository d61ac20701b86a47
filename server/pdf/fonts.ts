import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pdfmake from 'pdfmake'
import subsetFont from 'subset-font'

/*
 * Fonts of documents. Roboto, which pdfmake brings, has the letters of Europe. Names in Arabic, Chinese, Japanese and Korean take Noto Sans,
 * whose packages are cut into slices of some hundred characters: a slice is read when a document first needs one of its characters.
 */

const roboto = join(folderOf('pdfmake'), 'fonts', 'Roboto')
/** Packages of Noto Sans. */
const packages = {
  arabic: '@fontsource-variable/noto-sans-arabic',
  sc: '@fontsource-variable/noto-sans-sc',
  jp: '@fontsource-variable/noto-sans-jp',
  kr: '@fontsource-variable/noto-sans-kr',
} as const
type Family = keyof typeof packages

const arabic = /\p{Script_Extensions=Arabic}/u
const korean = /\p{Script=Hangul}/u
const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const chinese = /\p{Script=Han}/u
/** Their letters, and brackets, points and letters as wide as these. */
const foreign =
  /[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hangul}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Han}\u3000-\u303f\uff00-\uffef]/u

function folderOf(name: string): string {
  return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
}

/** Takes Roboto from a folder. */
export const setPdfFonts = (folder = roboto) =>
  pdfmake.addFonts({
    Roboto: {
      normal: join(folder, 'Roboto-Regular.ttf'),
      bold: join(folder, 'Roboto-Medium.ttf'),
      italics: join(folder, 'Roboto-Italic.ttf'),
      bolditalics: join(folder, 'Roboto-MediumItalic.ttf'),
    },
  })
setPdfFonts()
// A document has texts of users: nothing is fetched for it, and no file is read beside the fonts.
pdfmake.setUrlAccessPolicy(() => false)
let slicesFolder: Promise<string> | undefined
let readable = roboto
pdfmake.setLocalAccessPolicy((path) => path.startsWith(roboto) || path.startsWith(readable))

/** A folder of this process for the slices as pdfmake reads them. */
async function ownFolder(): Promise<string> {
  readable = await mkdtemp(join(tmpdir(), 'gettone-fonts-'))
  process.once('exit', () => rmSync(readable, { recursive: true, force: true }))
  return readable
}

/** The slice of each character that a family has. */
type Slices = ReadonlyMap<number, string>

const slicesOf = new Map<Family, Promise<Slices>>()
const read = new Map<Family, Slices>()
const loading = new Map<string, Promise<void>>()

async function readSlices(family: Family): Promise<Slices> {
  const ranges: Record<string, string> = JSON.parse(
    await readFile(join(folderOf(packages[family]), 'unicode.json'), 'utf8'),
  )
  const slices = new Map<number, string>()
  for (const [name, list] of Object.entries(ranges))
    for (const [, first = '', last = first] of list.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi))
      for (let code = Number.parseInt(first, 16); code <= Number.parseInt(last, 16); code++)
        if (code > 0xff) slices.set(code, name.replaceAll(/[[\]]/g, ''))
  read.set(family, slices)
  return slices
}

/** The families that a text may need, first choice first: Chinese letters are drawn as the rest of the text has them. */
function familiesOf(text: string): Family[] {
  if (!foreign.test(text)) return []
  const first: Family[] = arabic.test(text) ? ['arabic'] : []
  if (japanese.test(text)) return [...first, 'jp', 'sc', 'kr']
  if (korean.test(text)) return [...first, 'kr', 'sc', 'jp']
  return first.length > 0 && !chinese.test(text) ? first : [...first, 'sc', 'jp', 'kr']
}

/** A name of a font, `Roboto` unless the character needs another one. Its slices have been read by `loadFonts`. */
function fontOf(character: string, choice: readonly Family[]): string {
  const code = character.codePointAt(0) ?? 0
  for (const family of choice) {
    const slice = read.get(family)?.get(code)
    if (slice) return `${family}-${slice}`
  }
  return 'Roboto'
}

/** The font of each character of a text, by its index in code units. */
export function fontsOf(text: string): string[] {
  const choice = familiesOf(text)
  const fonts: string[] = []
  for (const character of text) {
    const font = choice.length > 0 && foreign.test(character) ? fontOf(character, choice) : 'Roboto'
    for (let at = 0; at < character.length; at++) fonts.push(font)
  }
  return fonts
}

/** Reads the fonts that the texts need and that no document needed before. */
export async function loadFonts(texts: Iterable<string>): Promise<void> {
  const needing = [...new Set(texts)].filter((text) => familiesOf(text).length > 0)
  for (const family of new Set(needing.flatMap(familiesOf))) {
    const slices = slicesOf.get(family) ?? readSlices(family)
    slicesOf.set(family, slices)
    await slices
  }
  for (const font of new Set(needing.flatMap(fontsOf))) {
    if (font === 'Roboto') continue
    const loads = loading.get(font) ?? loadSlice(font)
    loading.set(font, loads)
    await loads
  }
}

/** pdfkit embeds fonts of one weight only, so the regular and the bold weight are taken out of the variable font. */
async function loadSlice(font: string): Promise<void> {
  const [family = '', slice = ''] = font.split(/-(.*)/s)
  const name = `noto-sans-${family}-${slice}-wght-normal.woff2`
  const file = await readFile(join(folderOf(packages[family as Family]), 'files', name))
  const characters = [...(read.get(family as Family) ?? [])].filter(([, one]) => one === slice)
  const text = characters.map(([code]) => String.fromCodePoint(code)).join('')
  slicesFolder ??= ownFolder()
  const home = await slicesFolder
  const inWeight = async (wght: number) => {
    const path = join(home, `${font}-${wght}.ttf`)
    await writeFile(path, await subsetFont(file, text, { targetFormat: 'truetype', variationAxes: { wght } }))
    return path
  }
  const normal = await inWeight(400)
  const bold = await inWeight(500)
  pdfmake.addFonts({ [font]: { normal, bold, italics: normal, bolditalics: bold } })
}
