import type { Plugin } from 'vite'
import { readLanguage, type Sentences } from '#server/words/language-files.ts'

const file = /\/language\/(\w\w)\/[\w-]+\/([\w-]+)\.json$/

/** Gives each file of words what the files of nouns say for it. */
export function wordsOfNouns(): Plugin {
  const read = new Map<string, Record<string, Sentences>>()
  return {
    name: 'words-of-nouns',
    enforce: 'pre',
    buildStart: () => read.clear(),
    watchChange: () => read.clear(),
    load(id) {
      const [, language, feature] = file.exec(id) ?? []
      if (!language || !feature) return undefined
      const files = read.get(language) ?? readLanguage(language)
      read.set(language, files)
      return JSON.stringify(files[feature])
    },
  }
}
