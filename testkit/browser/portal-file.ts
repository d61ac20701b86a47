import { readManifest } from '../../checks/bundle-budget.ts'

/**
 * The address of the built file for a source that the portal loads on demand, such as `features/cash/CashScreen.tsx`, or for a group of
 * `scripts/portal/chunks.ts`, such as `second`.
 */
export function fileOfPortal(source: string): string {
  const manifest = readManifest('dist/portal')
  const chunk = manifest[source] ?? Object.values(manifest).find(({ name }) => name === source)
  if (!chunk) throw new Error(`The built portal has no file of its own for ${source}.`)
  return `/${chunk.file}`
}
