import { canonicalJson, type Json, type JsonObject } from '#contract/configurations/vp-document.ts'
import { vpValueAt } from '#domain/configurations/vp-document.ts'
import type { VpSchema } from '#domain/configurations/vp-schema.ts'

/** What all fields of a document share. */
export interface VpForm {
  schema: VpSchema
  document: JsonObject
  /** The saved document, to mark changes. */
  saved: JsonObject
  set: (path: string, value: Json) => void
  /** Sentences of broken rules by path. */
  errors: ReadonlyMap<string, string>
  isFixed: boolean
}

export const isChangedAt = ({ document, saved }: VpForm, path: string) => {
  const now = vpValueAt(document, path)
  const before = vpValueAt(saved, path)
  return canonicalJson(now ?? null) !== canonicalJson(before ?? null)
}
