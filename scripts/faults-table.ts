import { readFileSync, writeFileSync } from 'node:fs'
import { machine } from '../bench/report.ts'
import type { Backlog, Finding } from '../faults/findings.ts'

const start = '<!-- figures: written by npm run test:faults -- --write -->'
const end = '<!-- end of the figures -->'
const head = [
  'fault',
  'load',
  'acknowledged',
  'missing',
  'counted twice',
  'hours that differ',
  'recovered in',
  'backlog',
  'measured on',
]
const separator = `| ${head.map(() => '---').join(' | ')} |`

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const lineOf = (finding: Finding, day: string) =>
  line([
    finding.fault,
    finding.load,
    String(finding.acknowledged),
    String(finding.missing),
    String(finding.twice),
    finding.wrongHours === null ? '–' : String(finding.wrongHours),
    finding.recoverySeconds === null ? '–' : `${finding.recoverySeconds.toFixed(1)} s`,
    backlogText(finding.backlog),
    day,
  ])
const backlogText = (backlog: Backlog | undefined) =>
  backlog
    ? `${backlog.sales} sales at ${backlog.perSecond}/s, ${backlog.messagesPerSale.toFixed(1)} messages each, overtaken for ${backlog.overtakenSeconds.toFixed(1)} s`
    : '–'
const today = () => new Date().toISOString().slice(0, 10)

/** One line per result. */
export const tableOfFaults = (findings: readonly Finding[]): string =>
  [line(head), separator, ...findings.map((finding) => lineOf(finding, today()))].join('\n')

/** Writes results into the page; lines of faults that did not run stay. */
export function publishFaults(page: string, findings: readonly Finding[]): void {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} lacks the marks around the figures.`)
  const before = text
    .slice(from, to)
    .split('\n')
    .filter((each) => each.startsWith('| ') && each !== separator && each !== line(head))
  const rows = new Map(before.map((each) => [each.split(' | ')[0]?.slice(2) ?? '', each]))
  for (const finding of findings) rows.set(finding.fault, lineOf(finding, today()))
  const table = [line(head), separator, ...rows.values()].join('\n')
  writeFileSync(page, `${text.slice(0, from + start.length)}\n\n${table}\n\nOn ${machine()}.\n\n${text.slice(to)}`)
}
