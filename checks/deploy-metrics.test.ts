import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './sources.ts'

/* Alert rules and the dashboard name metrics that exist. */

/** Metrics of Prometheus itself and of prom-client. */
const ofOthers = ['up', 'process_resident_memory_bytes']
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The metrics that the server declares, each with the series that a histogram has. */
const declared = new Set(
  globSync('server/**/*.ts', { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/new (Gauge|Counter|Histogram)\(\{\s*name: '(gettone_\w+)'/g)].flatMap(
      ([, kind, name = '']) =>
        kind === 'Histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  ),
)

const expressionsIn = (path: string) =>
  path.endsWith('.json')
    ? [...read(path).matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text) as string)
    : [...read(path).matchAll(/^\s+expr: (.+)$/gm)].map(([, text = '']) => text)

const metricsIn = (expression: string) =>
  [...expression.replace(/\{[^}]*\}/g, '').matchAll(/\b(gettone_\w+|process_\w+|up)\b/g)].map(([, name = '']) => name)

const files = globSync('deploy/{prometheus,grafana}/*.{yml,json}', { cwd: root })

test.each(files)('%s names metrics of the server alone', (path) => {
  const expressions = expressionsIn(path)
  expect(expressions.length).toBeGreaterThan(5)
  const unknown = expressions.flatMap(metricsIn).filter((name) => !declared.has(name) && !ofOthers.includes(name))
  expect(unknown).toEqual([])
  expect(expressions.filter((expression) => metricsIn(expression).length === 0)).toEqual([])
})

test('there are rules and a dashboard', () => {
  expect(files.toSorted()).toEqual(['deploy/grafana/gettone.json', 'deploy/prometheus/gettone-rules.yml'])
})

test('every rule says what to do', () => {
  const text = read('deploy/prometheus/gettone-rules.yml')
  const count = (word: RegExp) => text.match(word)?.length
  expect(count(/^\s+description: /gm)).toBe(count(/- alert: /g))
  expect(count(/^\s+summary: /gm)).toBe(count(/- alert: /g))
})
