import { type CashFloat, mostFloat } from '#contract/cash/machine-cash.ts'
import type { FloatDevice } from '#contract/vocabulary/cash.ts'

/** The typed capacity and target float of each denomination. */
export type FloatDraft = ReadonlyMap<string, { capacity: string; target: string }>

export const floatKey = ({ device, value }: { device: FloatDevice; value: number }) => `${device} ${value}`

/** Null for an empty field; undefined for what is no number of pieces. */
const piecesOf = (text: string, least: number): number | null | undefined => {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,6}$/.test(typed) && Number(typed) >= least && Number(typed) <= mostFloat ? Number(typed) : undefined
}

/** The floats of a draft, without empty ones; undefined while a field is wrong. */
export function floatsIn(draft: FloatDraft): CashFloat[] | undefined {
  const floats: CashFloat[] = []
  for (const [key, texts] of draft) {
    const [device, value] = key.split(' ') as [FloatDevice, string]
    const capacity = piecesOf(texts.capacity, 1)
    const target = piecesOf(texts.target, 0)
    if (capacity === undefined || target === undefined) return undefined
    if (capacity !== null && target !== null && target > capacity) return undefined
    if (capacity !== null || target !== null) floats.push({ device, value: Number(value), capacity, wanted: target })
  }
  return floats
}
