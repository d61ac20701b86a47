import { recordNouns } from '#contract/vocabulary/record-nouns.ts'

const kebab = (noun: string) => noun.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * Language files with the word of a field: the log's own, or those of its form. The log names the fields of SAP codes.
 */
export const fieldWords: readonly (readonly [file: string, part: string])[] = [
  ['change-log', 'field'],
  ...recordNouns.filter((noun) => noun !== 'sapCode').map((noun) => [kebab(noun), 'field'] as const),
  ['firmware', 'field'],
  ['client', 'column'],
  ['product', 'field'],
  ['merchant', 'field'],
  ['machine', 'fact'],
]
