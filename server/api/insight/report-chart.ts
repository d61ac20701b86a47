import type { Report } from '#contract/insight/report.ts'
import type { ReportDimension } from '#contract/vocabulary/report.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { html } from '../../html/html.ts'
import { drawable } from '../../pdf/pdf.ts'
import type { ReportWords } from './report-words.ts'

const gold = '#c8922f'
const grey = '#c9c4b8'
const ink = '#1d1b16'
const inkSoft = '#6b665a'

const mostBars = 12
const numbered: readonly ReportDimension[] = ['hour', 'priceTable', 'denomination', 'severity']
const nameWidth = 190
const valueWidth = 90
const longestName = 38

interface Bar {
  name: string
  value: number
  before: number | null
}

/** The main figure of each key of the first grouping, in the report's order; `most` of them. */
function barsOf(report: Report, currency: Currency, words: ReportWords, most = mostBars): Bar[] {
  const [first] = report.by
  const bars = new Map<string, Bar>()
  for (const row of report.rows.filter((one) => one.currency === currency)) {
    const [name = ''] = words.names(report.by, row)
    const bar = bars.get(name) ?? { name, value: 0, before: report.compare ? 0 : null }
    bar.value += row.values[0] ?? 0
    if (bar.before !== null) bar.before += row.before?.[0] ?? 0
    bars.set(name, bar)
  }
  return [...bars.values()].slice(0, first && numbered.includes(first) ? 24 : most)
}

/** Bars of the main figure as SVG, with grey bars for the compared period. */
export function chartSvg(report: Report, currency: Currency, words: ReportWords, width: number): string | undefined {
  const bars = barsOf(report, currency, words)
  const most = Math.max(...bars.flatMap(({ value, before }) => [value, before ?? 0]))
  const [figure] = report.figures
  if (bars.length < 2 || most <= 0 || !figure) return undefined
  const step = report.compare ? 24 : 18
  const room = width - nameWidth - valueWidth
  const scaled = (value: number) => Math.max(0, (value / most) * room).toFixed(1)
  const rows = bars.map(({ name, value, before }, at) => {
    const y = at * step
    const short = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
    const written = words.value(figure, value, currency)
    return html`<text x="0" y="${y + 11}" font-size="9" fill="${ink}">${drawable(short)}</text>
<rect x="${nameWidth}" y="${y + 3}" width="${scaled(value)}" height="10" rx="1.5" fill="${gold}"/>
${before === null ? '' : html`<rect x="${nameWidth}" y="${y + 14.5}" width="${scaled(before)}" height="4.5" rx="1.5" fill="${grey}"/>`}
<text x="${nameWidth + Number(scaled(value)) + 6}" y="${y + 11}" font-size="8.5" fill="${inkSoft}">${drawable(written)}</text>`
  })
  const height = bars.length * step
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${rows}</svg>`
    .text
}
