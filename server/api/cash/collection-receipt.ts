import type { CollectionDetail } from '#contract/cash/collection.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { signedPieces } from '#domain/cash/collection-count.ts'
import { lineDifference } from '#domain/cash/collection-total.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { formatAmount } from '#domain/money/money.ts'
import { numbersIn } from '#domain/money/number-style.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { pdfFacts, pdfOf, pdfTable, sendPdf } from '#server/pdf/pdf.ts'
import { wordsIn } from '#server/words/words.ts'

type Call = TenantCall & { query: { language?: Language | undefined } }

/** A collection on paper: what was audited, transmitted and counted of each denomination, by whom, and lines to sign. */
export async function sendReceipt({ query, user, now, reply }: Call, collection: CollectionDetail): Promise<undefined> {
  const { currency, timeZone } = collection
  const language = query.language ?? (user.language as Language | null) ?? 'en'
  const t = wordsIn(language, 'cash-collection')
  const vocabulary = wordsIn(language, 'vocabulary')
  const number = numbersIn(language, currency)
  const time = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const instant = (at: string | null) => (at === null ? '–' : time.format(new Date(`${at}Z`)))
  const amount = (value: number | null) => (value === null ? '–' : formatAmount(value, currency))
  const pieces = (count: number | null) => (count === null ? '–' : number.format(count))
  const person = (at: string | null, by: string | null) =>
    at === null ? '–' : [by, instant(at)].filter(Boolean).join('\n')
  const right = 'right' as const
  const { rest, comparedWith, transmittedPieces, transmittedBasis } = collection
  const explained = [
    comparedWith && t(`compared.${comparedWith}`),
    transmittedBasis && t(`basis.${transmittedBasis}`),
    transmittedPieces && t(`pieces.${transmittedPieces.from}`, { at: instant(transmittedPieces.at) }),
    (rest.audited || rest.transmitted) && t('restNote'),
  ].filter((sentence) => typeof sentence === 'string')
  const used = collection.lines.filter(({ audited, transmitted, counted }) => audited || transmitted || counted)
  const rows = used.map((line) => {
    const { value, audited, transmitted, counted } = line
    const difference = lineDifference(line, { side: collection.comparedWith, rest: collection.rest })
    return [
      amount(value),
      ...[audited, transmitted, counted].map(pieces),
      difference === null ? '–' : signedPieces(difference, number.format),
      counted === null ? '–' : amount(counted * value),
    ]
  })
  const bytes = await pdfOf({
    language,
    title: t('receipt.title'),
    subtitle: `${collection.posName} (${collection.posSerial})`,
    merchant: collection.merchantName,
    now,
    timeZone,
    content: [
      pdfFacts([
        [t('column.at'), instant(collection.at)],
        [t('fact.previous'), instant(collection.previousAt)],
        [t('column.bagNumber'), collection.bagNumber ?? '–'],
        [t('column.status'), vocabulary(`collectionStatus.${collection.status}`)],
        [t('receipt.currency'), currency],
      ]),
      pdfTable(
        [
          { heading: t('line.denomination'), share: 1 },
          ...(['audited', 'transmitted', 'counted'] as const).map((side) => ({
            heading: t(`column.${side}`),
            align: right,
          })),
          { heading: t('column.difference'), align: right },
          { heading: t('line.value'), align: right },
        ],
        [
          ...rows,
          ...(rest.audited || rest.transmitted
            ? [
                [
                  t('line.rest'),
                  ...[rest.audited, rest.transmitted].map((value) => amount(value || null)),
                  '–',
                  '–',
                  '',
                ],
              ]
            : []),
          [
            t('line.total'),
            ...[collection.audited, collection.transmitted, collection.counted, collection.difference].map(amount),
            '',
          ],
        ],
      ),
      { text: explained.join(' '), fontSize: 8, margin: [0, 4, 0, 14] },
      pdfFacts([
        [t('fact.expected'), amount(collection.expected)],
        [t('column.difference'), amount(collection.difference)],
        [t('fact.tolerance'), amount(collection.tolerance)],
      ]),
      pdfFacts([
        [t('column.countedBy'), person(collection.countedAt, collection.countedBy)],
        [t('fact.disputedBy'), person(collection.disputedAt, collection.disputedBy)],
        [t('column.closedBy'), person(collection.closedAt, collection.closedBy)],
      ]),
      ...[
        [t('fact.disputeReason'), collection.disputeReason],
        [t('column.note'), collection.note],
      ].flatMap(([name, text]) => (name && text ? [pdfFacts([[name, text]])] : [])),
      {
        columns: [t('receipt.handedOver'), t('receipt.received')].map((text) => ({
          stack: [
            { canvas: [{ type: 'line' as const, x1: 0, y1: 0, x2: 200, y2: 0, lineWidth: 0.6 }] },
            { text, fontSize: 8, margin: [0, 3, 0, 0] as [number, number, number, number] },
          ],
        })),
        margin: [0, 46, 0, 0],
        unbreakable: true,
      },
    ],
  })
  return sendPdf(reply, [t('receipt.title'), collection.bagNumber ?? collection.posName].join(' '), bytes)
}
