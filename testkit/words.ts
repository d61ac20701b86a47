import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The sentences of one feature in one language, as in `language/<language>/<area>/<feature>.json`. */
export function readWords<Words>(language: string, feature: string): Words {
  const [path] = globSync(`language/${language}/*/${feature}.json`, { cwd: root })
  if (!path) throw new Error(`There is no language/${language}/*/${feature}.json.`)
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Words
}
