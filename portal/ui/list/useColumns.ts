import { useMemo } from 'react'
import { usePreference } from '../../app/theme/preferences.ts'
import type { Column } from './types.ts'

interface Chosen {
  shown?: string[]
  hidden?: string[]
}

/** A saved choice of an older version, or of nobody, is no choice. */
export function readChoice(text: string): Required<Chosen> {
  try {
    const { shown, hidden } = JSON.parse(text) as Chosen
    const names = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
    return { shown: names(shown), hidden: names(hidden) }
  } catch {
    return { shown: [], hidden: [] }
  }
}

/** The columns that are shown, and how the reader chooses them. */
export function useColumns<T>(table: string, columns: readonly Column<T>[]) {
  const [saved, save] = usePreference(`table.${table}`, '')
  return useMemo(() => {
    const choice = readChoice(saved)
    const isShown = ({ id, isFixed, isHidden }: Column<T>) =>
      Boolean(isFixed) || (isHidden ? choice.shown.includes(id) : !choice.hidden.includes(id))
    const toggle = ({ id, isHidden }: Column<T>) => {
      const list = isHidden ? 'shown' : 'hidden'
      const has = choice[list].includes(id)
      save(
        JSON.stringify({ ...choice, [list]: has ? choice[list].filter((one) => one !== id) : [...choice[list], id] }),
      )
    }
    return { shown: columns.filter(isShown), choosable: columns.filter(({ isFixed }) => !isFixed), isShown, toggle }
  }, [saved, save, columns])
}
