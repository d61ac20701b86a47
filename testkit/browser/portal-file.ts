import { readManifest } from '../../checks/bundle-budget.ts'

/** The address of the built file for a source that the portal loads on demand, such as `app/shell/Palette.tsx`. */
export function fileOfPortal(source: string): string {
  const chunk = readManifest('dist/portal')[source]
  if (!chunk) throw new Error(`The built portal has no file of its own for ${source}.`)
  return `/${chunk.file}`
}
