import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'
import { turnsIn } from './words.ts'

/** Their data are banned turns themselves. */
const lists = ['checks/words.ts', 'checks/words.test.ts', 'checks/written-words.ts']

/** `path:line “text”: instead` for each comment, test title and sentence of the docs that uses a banned turn. */
export const turnFaults = (folder: string): string[] =>
  globSync(/\.md$/.test(folder) ? folder : `${folder}/**/*.{ts,tsx,mjs,css,sql,md}`, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.gen.ts') && !lists.includes(path))
    .sort()
    .flatMap((path) =>
      sentencesIn(path, readFileSync(join(root, path), 'utf8')).flatMap(({ line, text }) =>
        turnsIn(text).map(({ instead }) => `${path}:${line} “${text.trim()}”: ${instead}`),
      ),
    )

/** What a file says to its readers, by line: comments and test titles, or the prose of a page without code and figures. */
export function sentencesIn(path: string, content: string): { line: number; text: string }[] {
  let isInside = false
  return content.split('\n').map((row, index) => {
    const read = path.endsWith('.md') ? proseOf(row, isInside) : spokenOf(path, row, isInside)
    isInside = read.isInside
    return { line: index + 1, text: read.text }
  })
}

/** `isInside`: in a code block, or in figures that a command writes. */
function proseOf(row: string, isInside: boolean) {
  const isEdge = row.startsWith('```') || /^<!-- (?:end of the )?figures/.test(row)
  return { text: isInside || isEdge ? '' : row.replaceAll(/`[^`]*`/g, ''), isInside: isInside !== isEdge }
}

/** `isInside`: in a comment of several lines. */
function spokenOf(path: string, row: string, isInside: boolean) {
  const title = (/\b(?:test|it|describe)(?:\.\w+)*(?:\([^)]*\))?\(\s*(['"`])(.*?)\1/.exec(row) ??
    /^\s*\]\)\((['"`])(.*?)\1/.exec(row) ??
    /^\s*(['"`])(?=.*%)(.*)\1,$/.exec(row))?.[2]
  const comment = path.endsWith('.sql')
    ? /--(.*)$/.exec(row)
    : (/(?:^|[\s;{(])\/\/(.*)$/.exec(row) ?? /\/\*(.*)/.exec(row))
  const opens = isInside || row.includes('/*')
  return {
    text: isInside ? row : [title, comment?.[1]].filter(Boolean).join(' '),
    isInside: opens && !row.includes('*/'),
  }
}
