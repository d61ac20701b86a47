import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Finding, isKept, type Measurement, type Promised } from './measure.ts'

const page = join(import.meta.dirname, '..', 'docs/benchmarks.md')
const start = '<!-- figures: written by npm run bench -- --write -->'
const end = '<!-- end of the figures -->'

const promise = (promised: Promised) =>
  'atMost' in promised ? `≤ ${promised.atMost} ${promised.unit}` : `≥ ${promised.atLeast} ${promised.unit}`

const digits = (value: number) => value.toFixed(value < 100 ? 2 : 0)

const rowsOf = (findings: readonly Finding[]): string[][] =>
  findings.map((finding) => [
    finding.what,
    finding.figure,
    finding.reference ?? '–',
    ...(finding.promised
      ? [
          `${digits(finding.value)} ${finding.promised.unit}`,
          promise(finding.promised),
          isKept(finding) ? 'PASS' : 'FAIL',
        ]
      : ['', 'for scale', '']),
  ])
const head = ['measured', 'figure', 'against', 'result', 'promised', '']

/** Findings as a table for the terminal. */
export function table(findings: readonly Finding[]): string {
  const rows = [head, ...rowsOf(findings)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

/** Writes the figures of this run into the documentation. Sections of other measurements do not change. */
export function publish(measurements: Record<string, Measurement>, results: Record<string, Finding[]>): void {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no marks for the figures.`)
  const before = sectionsOf(text.slice(from + start.length, to))
  const sections = Object.entries(measurements).flatMap(([name, measurement]) => {
    const findings = results[name]
    const section = findings ? sectionOf(name, measurement, findings) : before.get(name)
    return section ? [section] : []
  })
  writeFileSync(page, `${text.slice(0, from + start.length)}\n\n${sections.join('\n\n')}\n\n${text.slice(to)}`)
}

function sectionOf(name: string, { title, about }: Measurement, findings: readonly Finding[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `### ${name}: ${title}`,
    '',
    about.replace(/\s+/g, ' '),
    '',
    line(head),
    line(head.map(() => '---')),
    ...rowsOf(findings).map(line),
    '',
    `${new Date().toISOString().slice(0, 10)}, ${machine()}.`,
  ].join('\n')
}

function sectionsOf(text: string): Map<string, string> {
  const sections = text.split(/^(?=### )/m).filter((part) => part.startsWith('### '))
  return new Map(sections.map((section) => [/^### ([\w-]+)/.exec(section)?.[1] ?? '', section.trim()]))
}

/** The machine and software of the measurement. */
export function machine(): string {
  const cores = cpus()
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform
  return `${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${system}, Node ${process.versions.node}, PostgreSQL 18`
}
