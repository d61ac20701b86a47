import { productColumns } from '#contract/catalogue/product.ts'
import { NewProduct } from '#contract/catalogue/product-fields.ts'
import { allergens, productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import type { ProductField, SheetWords } from '#domain/catalogue/product-sheet.ts'
import { plain, plainHeading } from '#domain/imports/cells.ts'
import { wordsIn } from '#server/words/words.ts'

const fields = Object.keys(NewProduct.shape) as ProductField[]

const inAll = (file: string, key: string) => languages.map((language) => wordsIn(language, file)(key))

/** Entries of a map: a code's words in all languages, and the code itself. */
const named = (code: string, words: readonly string[]) =>
  [code, ...words].map((word): [string, string] => [plain(word), code])

/** Headings and words of the products' file in all languages. */
export const sheetWords: SheetWords = {
  headings: new Map(
    fields.flatMap((field) =>
      [field, ...inAll('product', `field.${field}`)].map((word): [string, ProductField] => [plainHeading(word), field]),
    ),
  ),
  ignored: new Set(
    [
      ...Object.values(productColumns).map(({ heading }) => heading),
      'export:column.merchant',
      'export:column.currency',
      'export:column.zone',
    ].flatMap((heading) => {
      const [file = '', key = ''] = heading.split(':')
      return inAll(file, key).map(plainHeading)
    }),
  ),
  productTypes: new Map(
    Object.entries(productTypes).flatMap(([letter, name]) => named(letter, inAll('vocabulary', `productType.${name}`))),
  ),
  allergens: new Map(allergens.flatMap((one) => named(one, inAll('vocabulary', `allergen.${one}`)))),
}

/** The headings of products' files. */
export const knownHeadings: ReadonlySet<string> = new Set(sheetWords.headings.keys())
