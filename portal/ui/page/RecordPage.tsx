import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint, ResultOf } from '#contract/frame/endpoint.ts'
import { callRow } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { DeleteButton, type InUse } from './DeleteButton.tsx'
import { DetailScreen } from './DetailScreen.tsx'
import { useRecord } from './useRecord.ts'

interface Props<Get extends AnyEndpoint, Tab extends string> {
  get: Get
  /** The path name of its id. */
  param: string
  /** The file of its words of `delete`. */
  words: string
  remove: AnyEndpoint
  /** The list to open after a deletion. */
  list: string
  /** What its deletion is refused for. */
  inUse?: InUse
  /** Its name, where that is not the field `name`. */
  nameOf?: (record: ResultOf<Get>) => string
  subtitle?: (record: ResultOf<Get>) => readonly (string | null)[]
  /** Buttons before that of the deletion. */
  actions?: (record: ResultOf<Get>) => ReactNode
  /** The paths of its tabs, by their labels under `screens` in shell.json. */
  tabs?: { readonly [T in Tab]?: string }
  /** Numbers beside names of tabs. */
  counts?: (record: ResultOf<Get>) => { readonly [T in Tab]?: number }
  /** Its content, if it has no tabs. */
  children?: ReactNode
}

/** The page of a record that people edit: its name, its tabs, and the button that deletes it, for users with the permission. */
export function RecordPage<Get extends AnyEndpoint, Tab extends string = never>({
  get,
  param,
  words,
  remove,
  list,
  inUse,
  nameOf,
  subtitle,
  actions,
  tabs,
  counts,
  children,
}: Props<Get, Tab>) {
  const { t } = useTranslation('shell')
  const format = useFormat()
  const mayRemove = useMay(remove)
  const answer = useRecord(get, param)
  const record = answer.data as (ResultOf<Get> & { id: string; merchantId?: string; name: string }) | undefined
  const name = record && (nameOf?.(record) ?? record.name)
  const tabOf = ([tab, to]: [string, string]) => {
    const count = record && counts?.(record)[tab as Tab]
    return { to, name: t(`screens.${tab}`), count: count === undefined ? undefined : format.number(count) }
  }
  const recordActions = record && actions?.(record)
  const deletion = record && mayRemove && (
    <DeleteButton
      kind={words}
      name={name ?? ''}
      remove={() => callRow(remove, { params: { merchantId: record.merchantId, [param]: record.id } })}
      inUse={inUse}
      list={list}
    />
  )
  return (
    <DetailScreen
      query={answer}
      merchantId={record?.merchantId}
      title={name}
      subtitle={record && subtitle?.(record).filter(Boolean).join(' · ')}
      actions={
        (recordActions || deletion) && (
          <>
            {recordActions}
            {deletion}
          </>
        )
      }
      tabs={tabs && Object.entries(tabs as Readonly<Record<string, string>>).map(tabOf)}
    >
      {children}
    </DetailScreen>
  )
}
