import { useCallback, useMemo } from 'react'
import { useAddressQuery, useGo } from './go.ts'
import type { Place } from './place.ts'
import { isId, oneOf, type Search } from './search.ts'

/** Records that open in a panel beside the screen; `page`: the address of the record's own page, and the name of the id in it. */
const kinds = {
  machine: { page: { to: '/devices/$posId', param: 'posId' } },
  alarm: {},
  transaction: {},
  media: { page: { to: '/customers-medias/medias/$mediaId', param: 'mediaId' } },
  claim: { page: { to: '/customers-medias/claims/$claimId', param: 'claimId' } },
  collection: { page: { to: '/devices/collections/$collectionId', param: 'collectionId' } },
} as const satisfies Record<string, { page?: { to: string; param: string } }>

export type PanelKind = keyof typeof kinds

/** A record in a panel. An alarm has two ids, its machine's and its own, with a dot between them. */
export interface PanelKey {
  kind: PanelKind
  id: string
}

/** Names of an address that open a panel: `panel=machine:<id>`, and the names of links in mails and bookmarks. */
const ownNames = { alarm: 'alarm', transaction: 'transaction' } as const satisfies Partial<Record<PanelKind, string>>

const isKind = (text: string): text is PanelKind => Object.hasOwn(kinds, text)
const partsOf = { machine: 1, alarm: 2, transaction: 1, media: 1, claim: 1, collection: 1 } as const

function keyOf(kind: string, id: string | undefined): PanelKey | undefined {
  const ids = id?.split('.') ?? []
  return isKind(kind) && id && ids.length === partsOf[kind] && ids.every(isId) ? { kind, id } : undefined
}

/** A panel as its address names it. */
export const panelText = ({ kind, id }: PanelKey): string => `${kind}:${id}`

/** The panel that a text such as `machine:<id>` names. */
export function readPanelText(text: string | undefined): PanelKey | undefined {
  const [kind = '', id] = text?.split(':') ?? []
  return keyOf(kind, id)
}

/** The panel of an address; undefined without one, or if it is unreadable. */
export function panelIn(search: Search): PanelKey | undefined {
  const named = readPanelText(oneOf(search, 'panel'))
  if (named) return named
  for (const [kind, name] of Object.entries(ownNames)) {
    const key = keyOf(kind, oneOf(search, name))
    if (key) return key
  }
  return undefined
}

/** The panel of the record that a place shows. */
export function panelOfPlace({ to, params, search }: Place): PanelKey | undefined {
  for (const [kind, row] of Object.entries(kinds)) {
    if ('page' in row && row.page.to === to && !search) return keyOf(kind, params?.[row.page.param])
  }
  return search && Object.keys(search).length === 1 ? panelIn(search) : undefined
}

/** The page of a panel's record; undefined for a record that has none. */
export function pageOfPanel({ kind, id }: PanelKey): Place | undefined {
  const row = kinds[kind]
  return 'page' in row ? { to: row.page.to, params: { [row.page.param]: id } } : undefined
}

const none = { panel: undefined, ...Object.fromEntries(Object.values(ownNames).map((name) => [name, undefined])) }

/** Opens a panel beside the screen; Back closes it. With `replace`, Back skips the panel before it. */
export function useOpenPanel() {
  const go = useGo()
  return useCallback(
    (key: PanelKey, { replace = false } = {}) =>
      void go({ here: { ...none, panel: panelText(key) } }, { replace, resetScroll: false }),
    [go],
  )
}

/** The open panel, and how it closes. */
export function usePanel() {
  const search = useAddressQuery()
  const go = useGo()
  const found = panelIn(search)
  const text = found && panelText(found)
  const panel = useMemo(() => readPanelText(text), [text])
  const close = useCallback(() => void go({ here: none }, { replace: true, resetScroll: false }), [go])
  return { panel, close }
}
