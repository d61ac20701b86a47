import { useSyncExternalStore } from 'react'
import type { Portal } from '#contract/key-portal/portal.ts'
import { slug } from './place.ts'
import { read, write } from './stored.ts'

export const schemes = ['auto', 'light', 'dark'] as const
/** `auto` is the merchant's choice. */
export type Scheme = (typeof schemes)[number]

const chosenKey = `key.scheme.${slug}`
/** The merchant's theme as last seen, so that the next start begins with it. */
const merchantKey = `key.theme.${slug}`
const listeners = new Set<() => void>()

const savedScheme = (): Scheme => schemes.find((one) => one === read(chosenKey)) ?? 'auto'

function darkNow(): boolean {
  const scheme = savedScheme()
  if (scheme !== 'auto') return scheme === 'dark'
  const theme = read(merchantKey)
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === '1'
}

export function showScheme(): void {
  const { dataset } = document.documentElement
  dataset.mantineColorScheme = darkNow() ? 'dark' : 'light'
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--bg').trim()
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground)
}

/** Shows the merchant's colors; black or white text on its color decides into which direction its fills may fade. */
export function showBrand({ colours, theme, name }: Portal): void {
  const { style, dataset } = document.documentElement
  style.setProperty('--brand', colours.brand)
  style.setProperty('--on-brand', colours.onBrand)
  style.setProperty('--brand-on-light', colours.onLight)
  style.setProperty('--brand-on-dark', colours.onDark)
  dataset.onBrand = colours.onBrand.toLowerCase() === '#ffffff' ? 'light' : 'dark'
  document.title = name
  write(merchantKey, String(theme))
  showScheme()
}

export function useScheme(): [Scheme, (scheme: Scheme) => void] {
  const scheme = useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, savedScheme)
  return [
    scheme,
    (next) => {
      write(chosenKey, next)
      showScheme()
      for (const listener of listeners) listener()
    },
  ]
}
