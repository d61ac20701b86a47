import type { clientStatements } from '#contract/merchants/client-statement.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { type Agreed, agreementsOf, type StatementLine, statementLines } from '#database/merchants/client-statement.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { formatAmount, formatMoney } from '#domain/money/money.ts'
import { numbersIn } from '#domain/money/number-style.ts'
import { commissionBase, commissionOf } from '#domain/sales/commission.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import type { Handlers } from '#server/http/handler.ts'
import { pdfFacts, pdfOf, pdfTable, sendPdf } from '#server/pdf/pdf.ts'
import { wordsIn } from '#server/words/words.ts'
import { clientRecord } from './client.ts'

const daysOf = (month: string) => {
  const [year = 0, index = 1] = month.split('-').map(Number)
  const next = new Date(Date.UTC(year, index, 1, 12)).toISOString().slice(0, 10)
  return { startDate: `${month}-01`, endDate: addDays(next, -1) }
}

/** A client's month on paper: what its machines sold, and its commission. */
export const clientStatementHandlers: Handlers<typeof clientStatements> = {
  getClientStatement: async ({ db, params, query, user, now, reply }) => {
    const client = await clientRecord.of(db, params.clientId)
    const {
      time_zone: timeZone,
      currency: code,
      name: merchant,
    } = await db
      .from('merchants')
      .where('merchants.id', '=', client.merchant_id)
      .select(['time_zone', 'currency', 'name'])
      .executeTakeFirstOrThrow()
    const currency = code as Currency
    const period = daysOf(query.month)
    const key = { merchant_id: client.merchant_id, id: client.id, time_zone: timeZone }
    const lines = await statementLines(db, key, period)
    const agreements = (await agreementsOf(db, key)).filter(
      ({ since }, at, all) => (since ?? '') <= period.endDate && (all[at + 1]?.since ?? '9') > period.startDate,
    )
    const language = query.language ?? (user.language as Language | null) ?? 'en'
    const t = wordsIn(language, 'client')
    const number = numbersIn(language, currency)
    const amount = (value: number) => formatAmount(value, currency)
    const money = (value: number) => formatMoney(value, currency)
    const inUtc = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' })
    const month = inUtc({ month: 'long', year: 'numeric' }).format(new Date(`${query.month}-01T12:00:00Z`))
    const today = dayIn(now, timeZone)
    const sum = (of: (line: StatementLine) => number) => lines.reduce((total, line) => total + of(line), 0)
    const base = ({ parts }: StatementLine) => parts.reduce((total, { sold }) => total + commissionBase(sold), 0)
    const commission = ({ parts }: StatementLine) => commissionOf(parts)
    const figures = [
      ({ vends }: StatementLine) => vends,
      ({ sales }: StatementLine) => sales,
      ({ refunds }: StatementLine) => refunds,
      base,
      commission,
    ] as const
    const written = (at: number, value: number) => (at === 0 ? number.format(value) : amount(value))
    const right = 'right' as const
    const dayOf = (day: string) => inUtc({ dateStyle: 'medium' }).format(new Date(`${day}T12:00:00Z`))
    const termsOf = ({ kind, percent, perVend }: Agreed) =>
      ({
        none: () => t('statement.none'),
        percent: () =>
          t('statement.percent', {
            percent: numbersIn(language, currency, { style: 'percent', maximumFractionDigits: 2 }).format(
              (percent ?? 0) / 100,
            ),
          }),
        perVend: () => t('statement.perVend', { amount: money(perVend ?? 0) }),
      })[kind]()
    const agreement = agreements
      .map((one) =>
        one.since !== null && one.since > period.startDate
          ? t('statement.since', { day: dayOf(one.since), agreement: termsOf(one) })
          : termsOf(one),
      )
      .join('\n')
    const address = [client.address, [client.zip_code, client.city].filter(Boolean).join(' '), client.province]
    const notes = [
      ...(period.endDate >= today ? ['running'] : []),
      'base',
      'vends',
      'machines',
      ...(agreements.some(({ kind }) => kind === 'percent') ? ['rounding'] : []),
    ]
    const bytes = await pdfOf({
      language,
      title: t('statement.title'),
      subtitle: `${client.company_name ?? client.name} · ${month}`,
      merchant,
      now,
      timeZone,
      content: [
        pdfFacts([
          [t('statement.client'), [client.name, client.company_name].filter(Boolean).join('\n')],
          [t('statement.address'), address.filter(Boolean).join('\n') || '–'],
          [t('field.vatCode'), client.vat_code ?? '–'],
          [t('statement.agreement'), agreement],
        ]),
        pdfTable(
          [
            { heading: t('statement.machine'), share: 1 },
            ...['vends', 'sales', 'refunds', 'base', 'commission'].map((name) => ({
              heading: t(`statement.${name}`),
              align: right,
            })),
          ],
          [
            ...lines.map((line) => [`${line.name}\n${line.serial}`, ...figures.map((of, at) => written(at, of(line)))]),
            [t('statement.total'), ...figures.map((of, at) => written(at, sum(of)))],
          ],
        ),
        { text: '', margin: [0, 0, 0, 14] },
        pdfFacts([
          [t('statement.base'), money(sum(base))],
          [t('statement.commission'), money(sum(commission))],
          [t('statement.currency'), currency],
        ]),
        ...notes.map((name) => ({
          text: t(`statement.note.${name}`, { zone: timeZone }),
          fontSize: 8,
          margin: [0, 0, 0, 3] as [number, number, number, number],
        })),
      ],
    })
    return sendPdf(reply, [t('statement.title'), client.name, query.month].join(' '), bytes)
  },
}
