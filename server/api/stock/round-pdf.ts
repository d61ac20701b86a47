import type { Content } from 'pdfmake/interfaces.js'
import { ProductError } from '#contract/errors.ts'
import type { VisitReason } from '#contract/stock/round.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { findRound, type StopRecord } from '#database/stock/round.ts'
import { describeAlarm } from '#domain/alarms/alarm-kind.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { formatAmount } from '#domain/money/money.ts'
import { numbersIn } from '#domain/money/number-style.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { pdfFacts, pdfOf, pdfTable, sendPdf } from '#server/pdf/pdf.ts'
import { wordsIn } from '#server/words/words.ts'
import { loadsMatching, productsMatching } from './round-load.ts'

type Call = TenantCall & { params: { roundId: string }; query: { language?: Language | undefined } }
type Words = ReturnType<typeof wordsIn>

const right = 'right' as const

/** A reason in words. */
const reasonWords = (
  t: Words,
  { kind, value, code }: VisitReason,
  number: ReturnType<typeof numbersIn>,
  nameOf: (code: string) => string,
) =>
  t(`reason.${kind}`, { count: value ?? 0, number: number.format(value ?? 0), code: code === null ? '' : nameOf(code) })

const heading = (text: string): Content => ({ text: text, fontSize: 12.5, bold: true, margin: [0, 16, 0, 6] })

/** A round on paper: its stops in driving order, the pick list in total, and what to load at each stop. */
export async function sendRoundPdf({ db, params, query, user, now, reply }: Call): Promise<undefined> {
  const round = await findRound(db, params.roundId)
  if (!round) throw new ProductError('RoundNotFound')
  const language = query.language ?? (user.language as Language | null) ?? 'en'
  const t = wordsIn(language, 'round')
  const events = wordsIn(language, 'machine-event')
  const nameOf = (code: string) => {
    const { name } = describeAlarm(code)
    return name ? events(name) : code
  }
  const number = numbersIn(language, round.currency as Currency)
  const money = (amount: number) => formatAmount(amount, round.currency as Currency)
  const filter = { roundId: round.id }
  const products = await productsMatching(db, filter)
  const loads = await loadsMatching(db, filter)
  const stops = round.stop_list.filter(({ status }) => status !== 'skipped')
  const byStop = Map.groupBy(loads, ({ stopId }) => stopId)
  const stopRow = (stop: StopRecord) => [
    number.format(stop.position),
    [stop.pos_name, stop.pos_serial].join('\n'),
    [stop.address, stop.client_name, stop.client_phone].filter(Boolean).join('\n'),
    (stop.reasons as VisitReason[]).map((reason) => reasonWords(t, reason, number, nameOf)).join('\n'),
    number.format(stop.pieces),
    stop.cash_in_box === null ? '' : money(stop.cash_in_box),
  ]
  const pieces = products.reduce((sum, { quantity }) => sum + quantity, 0)
  const day = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'full', timeZone: 'UTC' }).format(
    new Date(`${round.day}T12:00:00Z`),
  )
  const bytes = await pdfOf({
    language,
    title: round.name,
    subtitle: round.note ?? undefined,
    merchant: round.merchant_name,
    now,
    timeZone: round.time_zone,
    content: [
      pdfFacts([
        [t('field.day'), day],
        [t('field.assigneeId'), round.assignee_name ?? '–'],
        [t('column.stops'), number.format(stops.length)],
        [t('column.pieces'), number.format(pieces)],
      ]),
      heading(t('pdf.stops')),
      pdfTable(
        [
          { heading: t('load.position'), align: right },
          { heading: t('load.machine'), share: 3 },
          { heading: t('pdf.address'), share: 3 },
          { heading: t('pdf.reasons'), share: 2.4 },
          { heading: t('column.pieces'), align: right },
          { heading: t('pdf.cash'), align: right },
        ],
        stops.map(stopRow),
      ),
      heading(t('pdf.pickList')),
      products.length > 0
        ? pdfTable(
            [
              { heading: t('load.product'), share: 1 },
              { heading: t('load.productCode') },
              { heading: t('column.stops'), align: right },
              { heading: t('load.quantity'), align: right },
            ],
            products.map((one) => [
              one.product ?? t('load.unknown'),
              one.productCode ?? '',
              number.format(one.stops),
              number.format(one.quantity),
            ]),
          )
        : { text: t('pdf.nothing'), italics: true },
      ...stops.flatMap((stop): Content[] => {
        const stopLoads = byStop.get(stop.id) ?? []
        if (stopLoads.length === 0) return []
        return [
          heading(`${number.format(stop.position)}. ${stop.pos_name}`),
          pdfTable(
            [
              { heading: t('load.selection') },
              { heading: t('load.product'), share: 1 },
              { heading: t('load.quantity'), align: right },
              { heading: t('pdf.loaded'), align: right },
            ],
            stopLoads.map((load) => [
              load.selection,
              load.product ?? t('load.unknown'),
              number.format(load.quantity),
              '________',
            ]),
          ),
        ]
      }),
    ],
  })
  return sendPdf(reply, round.name, bytes)
}
