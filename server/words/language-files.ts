import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', 'language')

/** Sentences by their keys, as a file nests them. */
export interface Sentences {
  [key: string]: string | Sentences
}

/** Adds sentences to others. */
function add(into: Sentences, more: Sentences, where: string) {
  for (const [key, value] of Object.entries(more)) {
    const there = into[key]
    if (there === undefined) into[key] = structuredClone(value)
    else if (typeof there === 'string' || typeof value === 'string') throw new Error(`${where}.${key} is written twice`)
    else add(there, value, `${where}.${key}`)
  }
}

/**
 * The sentences of a language by file, without areas. A noun has all its words in one file: what its `elsewhere` says, by file, belongs to
 * files that are loaded without it, such as its errors and the names of its screens.
 */
export function readLanguage(language: string): Record<string, Sentences> {
  const paths = globSync(`${language}/*/*.json`, { cwd: folder })
  const read = paths.map(
    (path) => [basename(path, '.json'), JSON.parse(readFileSync(join(folder, path), 'utf8')) as Sentences] as const,
  )
  const files = Object.fromEntries(read.map(([file, { elsewhere: _, ...sentences }]) => [file, sentences]))
  if (read.length !== Object.keys(files).length) throw new Error(`language/${language} has two files of one name`)
  for (const [file, { elsewhere = {} }] of read)
    for (const [other, words] of Object.entries(elsewhere)) {
      const target = files[other]
      if (!target) throw new Error(`language/${language}/*/${file}.json has words for ${other}.json, which is missing`)
      add(target, words as Sentences, `language/${language}/*/${file}.json elsewhere.${other}`)
    }
  return files
}
