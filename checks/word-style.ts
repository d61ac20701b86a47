import type { Sentences } from './language.ts'

/* One style per language, for what a placeholder brings into a sentence. */

/** Between a number and its percent sign: as `Intl.NumberFormat` writes it. */
export const percentGap = (language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent' })
    .formatToParts(0.5)
    .find(({ type }) => type === 'literal')
    ?.value.replace('\u202f', '\u00a0') ?? ''

/** A percent sign behind a number, with another gap than the language's. */
export const hasOtherPercent = (language: string, sentence: string): boolean =>
  [...sentence.matchAll(/(?:\}\}|\d)(\s?)%/g)].some(([, gap]) => gap !== percentGap(language))

/** Placeholders of counts. Limits, which are never 1, have other names or follow a word such as “maximum”. */
const counts = 'number|count|all|done|bad|failed|machines|cycles|stated|decimals|digits'
const counted = new RegExp(
  `(?<!(?:first|maximum|within|all|version) )\\{\\{(?:${counts})\\}\\} (?:[a-z-]+ )?[a-z]+[^aius]s\\b`,
  'i',
)

/** Sentences with a count before its noun that have no plural forms. Keys of an English file. */
export function countsWithoutPlural(sentences: Sentences): string[] {
  return [...sentences]
    .filter(([key, sentence]) => counted.test(sentence) && !/_(?:zero|one|other)$/.test(key))
    .map(([key]) => key)
}

/** An Italian article, alone or in a preposition, before a placeholder: it would change with the number or name that follows. */
export const hasArticleBefore = (sentence: string): boolean =>
  /(?:\b(?:il|lo|la|al|allo|alla|dal|dallo|dalla|del|dello|della|nel|nello|nella|sul|sullo|sulla) |\b(?:l|all|dall|dell|nell|sull|un)[’'])\{\{/i.test(
    sentence,
  )

/** Spanish sentences that address the reader as "usted", where all others say "tú". */
const formal =
  'usted|ustedes|Compruebe|Solicite|Seleccione|Contacte|Introduzca|Escriba|Pulse|Elija|Asigne|Añada|Elimine|Quite|Espere|Active|Copie|Inicie|Busque|Permita|Inténtelo|inténtelo|Guarde|Cargue|Registre|Amplíe|Cree un|Cree una|Cree el|Cree los|Cree primero|Deje|Use|Abra|Cierre|Vuelva|Descargue|Revise|Cambie|Confirme'
export const isFormalSpanish = (sentence: string): boolean =>
  new RegExp(`(?:^|[.:;!?»] |\\()(?:${formal})\\b|\\busted(?:es)?\\b|\\binténtelo\\b`).test(sentence)

/** German sentences about the buyer at a machine that call them as the client is called. */
export const isClientForCustomer = (english: string, german: string): boolean =>
  /customer/i.test(english) &&
  !/\bclient|customer company|change of customer|customers’ app/i.test(english) &&
  /(?<!End)\bKunden?\b/.test(german)
