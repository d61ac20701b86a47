import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './sources.ts'

/**
 * Requirements of levels 1 and 2 in OWASP ASVS 5.0.0: rows with L = 1 (70) and L = 2 (183) of
 * 5.0/docs_en/OWASP_Application_Security_Verification_Standard_5.0.0_en.csv in github.com/OWASP/ASVS.
 */
const requirements = { '1': 70, '2': 183 }
const states = ['met', 'partly', 'not met', 'not applicable'] as const
type State = (typeof states)[number]

interface Row {
  id: string
  level: '1' | '2'
  requires: string
  state: State
  where: string
  test: string
}

const read = (page: string) => readFileSync(join(root, page), 'utf8')

/** The rows of requirements. A row that is not of this form is a fault. */
function rowsIn(text: string): { rows: Row[]; faults: string[] } {
  const lines = text.split('\n').filter((line) => /^\| *v?\d/.test(line))
  const rows: Row[] = []
  const faults: string[] = []
  for (const line of lines) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const [id = '', level = '', requires = '', state = '', where = '', why = ''] = cells
    const isRow =
      cells.length === 6 &&
      /^\d+\.\d+\.\d+$/.test(id) &&
      (level === '1' || level === '2') &&
      states.some((one) => one === state)
    if (isRow) rows.push({ id, level, requires, state: state as State, where, test: why })
    else faults.push(line.slice(0, 60))
  }
  return { rows, faults }
}

/** Files and folders of the tree that a text names in backquotes, with those of links. */
const folders =
  'contract|language|domain|database|server|portal|simulator|agent|demo|testkit|e2e|faults|bench|checks|scripts|docs|deploy|client'
const isPath = new RegExp(`^(?:(?:${folders})/[\\w./@-]*|[\\w.-]+\\.(?:md|ts|json))$`)
const pathsIn = (text: string) =>
  [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path).filter((path) => isPath.test(path))
const absent = (paths: readonly string[], exists: (path: string) => boolean) => paths.filter((path) => !exists(path))
const isThere = (path: string) => existsSync(join(root, path))

/** What is wrong with a row by its state. */
function faultsOf({ id, requires, state, where, test: why }: Row): string[] {
  const isWith = (text: string) => /\w/.test(text)
  const named = pathsIn(`${where} ${why}`)
  return [
    ...(requires === '' || requires.split(' ').length > 10 ? [`${id}: one to ten words say what it requires`] : []),
    ...(state === 'met' && !isWith(where) ? [`${id}: no place meets it`] : []),
    ...(state !== 'met' && !isWith(why) ? [`${id}: no reason`] : []),
    ...named
      .filter((path) => /\.test\.tsx?$/.test(path) && where.includes(`\`${path}\``))
      .map((path) => `${id}: ${path} is a test`),
  ]
}

const asvs = read('docs/asvs.md')
const { rows, faults } = rowsIn(asvs)

test('docs/asvs.md has each requirement of levels 1 and 2 once', () => {
  expect(faults).toEqual([])
  expect(rows.length).toBeGreaterThan(0)
  const ids = rows.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  for (const level of ['1', '2'] as const)
    expect(rows.filter((row) => row.level === level)).toHaveLength(requirements[level])
})

test('each row says what meets it, or why it is not met', () => {
  expect(rows.flatMap(faultsOf)).toEqual([])
})

test('the counts at the top are those of the rows', () => {
  for (const state of states) {
    const count = (level: string) => rows.filter((row) => row.state === state && row.level === level).length
    expect(asvs).toContain(`\n| ${state} | ${count('1')} | ${count('2')} |\n`)
  }
})

test('what is partly or not met is open, and nothing else', () => {
  const [, open = ''] = asvs.split('\n## Open\n')
  const listed = [...open.matchAll(/\b\d+\.\d+\.\d+\b/g)].map(([id]) => id).sort()
  const lacking = rows.filter(({ state }) => state === 'partly' || state === 'not met').map(({ id }) => id)
  expect(lacking.length).toBeGreaterThan(0)
  expect(listed).toEqual(lacking.sort())
})

test.each(['docs/asvs.md', 'docs/threat-model.md', 'docs/security-inventory.md', 'SECURITY.md'])(
  'each file and test that %s names exists',
  (page) => {
    const paths = pathsIn(read(page))
    expect(paths.length).toBeGreaterThan(2)
    expect(absent(paths, isThere)).toEqual([])
  },
)

test('the check sees a missing file, a row of another form, and a row without its reason', () => {
  expect(absent(pathsIn('`server/nowhere.ts`, `server/http/server.ts`, `npm run sbom`'), isThere)).toEqual([
    'server/nowhere.ts',
  ])
  expect(rowsIn('| 1.1.1 | 2 | a | nearly | b | c |\n| 1.1.2 | 2 | a | met | b | c |')).toMatchObject({
    rows: [{ id: '1.1.2', state: 'met' }],
    faults: [expect.stringContaining('nearly')],
  })
  const row: Row = { id: '1.1.1', level: '1', requires: 'a', state: 'partly', where: 'b', test: '–' }
  expect(faultsOf(row)).toEqual(['1.1.1: no reason'])
  expect(faultsOf({ ...row, state: 'met', where: '–' })).toEqual(['1.1.1: no place meets it'])
})
