import { usePreference } from './preferences.ts'

/** Row height of tables and lists, set on the page's root for the style sheets. */
export function useDensity() {
  const [density, save] = usePreference('density', 'dense')
  const choose = (next: 'dense' | 'comfortable') => {
    document.documentElement.dataset.density = next
    save(next)
  }
  return [density, choose] as const
}
