import { exportLists } from '#contract/export/export-lists.ts'
import { type Fact, factsInFile } from '#contract/frame/list-columns.ts'
import { type ImportKind, importKindOf } from '#contract/imports/import-kinds.ts'
import { ownMediaTypes } from '#contract/vocabulary/cashless.ts'
import { allergens, productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'
import { countries } from '#contract/vocabulary/world/countries.ts'
import { languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { plain, plainHeading } from '#domain/imports/cells.ts'
import { otherHeadings } from '#domain/imports/headings.ts'
import { headingKey } from '#domain/imports/sheet.ts'
import { wordsIn } from '#server/words/words.ts'

const inAll = (file: string, key: string) => languages.map((language) => wordsIn(language, file)(key))

/** Fields that a file may call by the kind itself: a list of groups has a column "Group". */
const namedAsKind: Readonly<Record<string, string>> = { groups: 'group', clients: 'client', customers: 'customer' }

interface KindHeadings {
  /** The field of each heading, by `headingKey`. */
  fields: ReadonlyMap<string, string>
  /** The headings by `plainHeading`, by which the separator of a CSV file is found. */
  plain: ReadonlySet<string>
}

function headingsOfKind(kind: ImportKind): KindHeadings {
  const { fields, list } = importKindOf(kind)
  const exported: Readonly<Record<string, Fact>> = Object.assign(
    {},
    ...(list ? factsInFile(exportLists[list].columns).map(([, facts]) => facts) : []),
  )
  const names = new Map<string, string>()
  const plainNames = new Set<string>()
  const add = (field: string, words: readonly string[]) => {
    for (const word of words) {
      plainNames.add(plainHeading(word))
      if (!names.has(headingKey(word))) names.set(headingKey(word), field)
    }
  }
  // The portal's own words come first: an exported file means what the portal means.
  for (const field of Object.keys(fields)) {
    const [file = '', key = ''] = exported[field]?.heading.split(':') ?? []
    add(field, [field, ...inAll('import', `field.${field}`), ...(file ? inAll(file, key) : [])])
  }
  const own = namedAsKind[kind]
  if (own) add('name', inAll('import', `field.${own}`))
  for (const [field, words] of Object.entries(otherHeadings[kind])) add(field, words)
  return { fields: names, plain: plainNames }
}

const headings = new Map<ImportKind, KindHeadings>()

/** What files call the fields of a kind. */
export function kindHeadings(kind: ImportKind): KindHeadings {
  const known = headings.get(kind) ?? headingsOfKind(kind)
  headings.set(kind, known)
  return known
}

/** A code with its words in all languages. */
const named = <Code>(code: Code, words: readonly string[]): [string, Code][] =>
  [String(code), ...words].map((word) => [plain(word), code])

const countryNames = () => {
  const names = languages.map((language) => new Intl.DisplayNames([language], { type: 'region' }))
  return new Map(
    countries.flatMap((code) =>
      named(
        code,
        names.map((in_) => in_.of(code) ?? code),
      ),
    ),
  )
}

/** Words of cells by vocabulary, each with its code. */
export const cellWords: Readonly<Record<string, ReadonlyMap<string, unknown>>> = {
  country: countryNames(),
  posSector: new Map(posSectors.flatMap((code) => named(code, inAll('vocabulary', `posSector.${code}`)))),
  productType: new Map(
    Object.entries(productTypes).flatMap(([letter, name]) => named(letter, inAll('vocabulary', `productType.${name}`))),
  ),
  allergen: new Map(allergens.flatMap((code) => named(code, inAll('vocabulary', `allergen.${code}`)))),
  mediaType: new Map(
    Object.entries(mediaTypes).flatMap(([name, code]) =>
      ownMediaTypes.includes(code)
        ? [...named(code, inAll('vocabulary', `mediaType.${name}`)), [plain(name), code]]
        : [],
    ),
  ),
  language: new Map(
    languages.flatMap((code) =>
      named(code, [
        languageNames[code],
        ...languages.map((reader) => new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code),
      ]),
    ),
  ),
}
