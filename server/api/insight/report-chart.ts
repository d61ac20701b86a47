import type { Content } from 'pdfmake/interfaces.js'
import type { Report } from '#contract/insight/report.ts'
import { numberedDimensions } from '#contract/vocabulary/insight/report.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { ReportWords } from './report-words.ts'

const gold = '#c8922f'
const grey = '#c9c4b8'
const ink = '#1d1b16'
const inkSoft = '#6b665a'

const mostBars = 12
const nameWidth = 190
const valueWidth = 90
const longestName = 38

interface Bar {
  name: string
  value: number
  before: number | null
}

/** The main figure of each key of the first grouping, the largest first, hours and other numbers in their order; `most` of them. The table may have another order. */
function barsOf(report: Report, currency: Currency, words: ReportWords, most = mostBars): Bar[] {
  const [first] = report.by
  const bars = new Map<string, Bar>()
  const isNumbered = first !== undefined && numberedDimensions.includes(first)
  const numberOf = ({ keys: [key] }: Report['rows'][number]) => Number(key ?? -1)
  const rows = report.rows.filter((one) => one.currency === currency)
  for (const row of isNumbered ? rows.toSorted((one, other) => numberOf(one) - numberOf(other)) : rows) {
    const [name = ''] = words.names(report.by, row)
    const bar = bars.get(name) ?? { name, value: 0, before: report.compare ? 0 : null }
    bar.value += row.values[0] ?? 0
    if (bar.before !== null) bar.before += row.before?.[0] ?? 0
    bars.set(name, bar)
  }
  const all = [...bars.values()]
  return isNumbered ? all.slice(0, 24) : all.sort((one, other) => other.value - one.value).slice(0, most)
}

/** Bars of the main figure, each between its name and its value, with grey bars for the compared period. `width` is in points. */
export function reportChart(
  report: Report,
  currency: Currency,
  words: ReportWords,
  width: number,
): Content[] | undefined {
  const bars = barsOf(report, currency, words)
  const most = Math.max(...bars.flatMap(({ value, before }) => [value, before ?? 0]))
  const [figure] = report.figures
  if (bars.length < 2 || most <= 0 || !figure) return undefined
  const room = width - nameWidth - valueWidth
  const scaled = (value: number) => Math.max(0, (value / most) * room)
  return bars.map(({ name, value, before }): Content => {
    const length = Math.max(scaled(value), scaled(before ?? 0))
    const short = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
    return {
      columns: [
        { width: nameWidth, text: short, fontSize: 9, color: ink },
        {
          width: length,
          canvas: [
            { type: 'rect', x: 0, y: 1, w: scaled(value), h: 10, r: 1.5, color: gold },
            ...(before === null
              ? []
              : [{ type: 'rect' as const, x: 0, y: 12.5, w: scaled(before), h: 4.5, r: 1.5, color: grey }]),
          ],
        },
        { width: valueWidth, text: words.value(figure, value, currency), fontSize: 8.5, color: inkSoft },
      ],
      columnGap: 6,
      margin: [0, 0, 0, report.compare ? 7 : 4],
    }
  })
}
